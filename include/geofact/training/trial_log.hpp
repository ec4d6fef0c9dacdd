#pragma once
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "geofact/io/decimal.hpp"
#include "geofact/io/json.hpp"
#include "geofact/io/mapped_file.hpp"

namespace geofact {

/// One run of a search: what was run, and what came of it.
struct trial {
  std::string variant, mode;
  int hops = 1, entities = 0, relations = 0, width = 0, hidden = 0, seed = 0;
  double recall = 0;  ///< at the end; of a chain of thought when it reads its own thoughts
  int steps = 0;      ///< steps made
  int given_up = 0;   ///< 1: the run was ended because it would not get there
  int passed = 0;     ///< 1: it got there
  double seconds = 0;

  /// What tells trials of one search apart.
  auto key() const { return std::tie(variant, mode, hops, entities, relations, width, seed); }
};

/// Calls visit(name, value) for each member of a trial.
template <class Trial, class Visit>
void for_each_member(Trial& t, const Visit& visit) {
  visit("variant", t.variant), visit("mode", t.mode), visit("hops", t.hops), visit("entities", t.entities);
  visit("relations", t.relations), visit("width", t.width), visit("hidden", t.hidden), visit("seed", t.seed);
  visit("recall", t.recall), visit("steps", t.steps), visit("given_up", t.given_up), visit("passed", t.passed);
  visit("seconds", t.seconds);
}

/// A trial as one line of JSON, without its end.
inline std::string to_json(const trial& t) {
  std::string line;
  for_each_member(t, [&](const char* name, const auto& value) {
    line += (line.empty() ? "{\"" : ",\"") + std::string(name) + "\":";
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, std::string>)
      line += json_string(value, "a trial");
    else
      line += detail::printed(value);
  });
  return line + '}';
}

/// The trial of a line; throws, with `source`, for anything else.
inline trial parse_trial(std::string_view line, const std::string& source) {
  trial t;
  json_reader json(line, source);
  int members = 0;
  json.read_object([&](const std::string& key) {
    bool found = false;
    for_each_member(t, [&](const char* name, auto& value) {
      if (key != name) return;
      found = true;
      using Value = std::remove_cvref_t<decltype(value)>;
      if constexpr (std::is_same_v<Value, std::string>) {
        value = json.read_string();
      } else {
        const double number = json.read_number();
        if constexpr (std::is_same_v<Value, int>)
          json.check(std::abs(number) < 0x1p31 && std::trunc(number) == number, "the ", name, ' ', number,
                     " of a trial is no whole number in range");
        value = static_cast<Value>(number);
      }
    });
    json.check(found, "a trial has no \"", key, '"');
    ++members;
  });
  json.finish();
  int all = 0;
  for_each_member(t, [&](auto&&...) { ++all; });
  require(members == all, source, ": a trial of ", members, " members where one has ", all);
  return t;
}

/// All trials of a search, on disk as lines of JSON. The first line says under which settings they were run; a trial is
/// appended when it is done, so that a kill loses none but those that run.
class trial_log {
 public:
  /// Keeps the trials in memory alone.
  trial_log() = default;

  /// Reads the trials that are there, and drops a last line that a kill cut short. Throws, with the line, for what is
  /// no trial and for settings other than these, and where the file cannot be read or written.
  trial_log(const std::string& path, const std::string& settings) : path_(path) {
    file_ = detail::descriptor(open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
    require(file_ >= 0, path, ": could not be opened: ", std::strerror(errno));
    require(flock(file_, LOCK_EX | LOCK_NB) == 0, path, ": is being written by somebody else");
    read(settings);
    require(ftruncate(file_, whole_) == 0 && lseek(file_, 0, SEEK_END) == whole_, path,
            ": could not be written: ", std::strerror(errno));
    if (whole_ == 0) append(header(settings));
  }

  /// The trials of a log under any settings, read alone.
  static std::vector<trial> read_all(const std::string& path, const std::string& settings) {
    trial_log log;
    log.path_ = path;
    log.read(settings);
    return log.all();
  }

  std::optional<trial> find(const trial& wanted) const {
    const std::lock_guard lock(mutex_);
    const auto found = trials_.find(key_of(wanted));
    return found == trials_.end() ? std::nullopt : std::optional(found->second);
  }

  void add(const trial& t) {
    const std::lock_guard lock(mutex_);
    if (!trials_.emplace(key_of(t), t).second) return;
    if (file_ >= 0) append(to_json(t));
  }

  /// Takes trials that are on disk elsewhere as known.
  void know(const std::vector<trial>& trials) {
    const std::lock_guard lock(mutex_);
    for (const auto& t : trials) trials_.emplace(key_of(t), t);
  }

  /// In the order of their keys.
  std::vector<trial> all() const {
    const std::lock_guard lock(mutex_);
    std::vector<trial> trials;
    for (const auto& entry : trials_) trials.push_back(entry.second);
    return trials;
  }

 private:
  using key = std::tuple<std::string, std::string, int, int, int, int, int>;
  static key key_of(const trial& t) { return t.key(); }
  static std::string header(const std::string& settings) {
    return "{\"settings\":" + json_string(settings, "settings") + '}';
  }

  void read(const std::string& settings) {
    const mapped_file file(path_);
    const std::string_view text(reinterpret_cast<const char*>(file.data()), static_cast<std::size_t>(file.size()));
    const auto last = text.rfind('\n');
    if (last == text.npos) return;
    whole_ = static_cast<index_t>(last) + 1;
    index_t number = 1;
    for (auto rest = text.substr(0, last + 1); !rest.empty(); ++number) {
      const auto line = rest.substr(0, rest.find('\n'));
      const std::string source = path_ + ": line " + std::to_string(number);
      if (number == 1) {
        std::string found;
        json_reader json(line, source);
        json.read_object([&](const std::string& name) {
          json.check(name == "settings", "a log of trials begins with its settings, not with \"", name, '"');
          found = json.read_string();
        });
        json.finish();
        require(found == settings, path_, ": its trials were run with ", found, ", not with ", settings);
      } else {
        const trial t = parse_trial(line, source);
        trials_.emplace(key_of(t), t);
      }
      rest.remove_prefix(line.size() + 1);
    }
  }

  void append(std::string line) {
    line += '\n';
    const auto written = ::write(file_, line.data(), line.size());
    require(written == static_cast<ssize_t>(line.size()), path_, ": could not be written: ", std::strerror(errno));
  }

  std::string path_;
  detail::descriptor file_;
  index_t whole_ = 0;
  mutable std::mutex mutex_;
  std::map<key, trial> trials_;
};

}  // namespace geofact
