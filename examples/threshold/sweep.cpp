#include "sweep.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <mutex>
#include <sstream>

#include "geofact/geofact.hpp"

namespace {

using namespace geofact;

/// The settings of all trials of a log: everything of the rule that decides what a trial finds.
std::string settings_of(const threshold_rule& rule) {
  std::string text;
  for_each_setting(rule.settings, [&](const std::string& name, const auto& value) {
    if (name == "width" || name == "hidden" || name == "seed" || name == "stop_at") return;
    text += name + '=' + geofact::detail::printed(static_cast<double>(value)) + ' ';
  });
  return text + "hidden_per_width=" + std::to_string(rule.hidden_per_width) +
         " target=" + geofact::detail::printed(rule.target) + " patience=" + geofact::detail::printed(rule.patience);
}

std::string rank_file(const std::string& log, int rank) { return log + ".rank" + std::to_string(rank); }

/// Takes the trials of all rank files into the log; a rank file goes when its trials are safe.
void merge(const std::string& log, const std::string& settings) {
  namespace fs = std::filesystem;
  const fs::path path(log);
  const std::string prefix = path.filename().string() + ".rank";
  trial_log whole(log, settings);
  std::vector<fs::path> parts;
  for (const auto& entry : fs::directory_iterator(path.has_parent_path() ? path.parent_path() : "."))
    if (entry.path().filename().string().starts_with(prefix)) parts.push_back(entry.path());
  for (const auto& part : parts) {
    for (const auto& t : trial_log::read_all(part.string(), settings)) whole.add(t);
    fs::remove(part);
  }
}

/// A measure of the work of one problem, to begin with the longest.
double work(const threshold_problem& p) {
  return static_cast<double>(p.entities) * p.entities * p.relations * usual_threshold(p);
}

void report(const trial& t) {
  std::fprintf(stderr, "%s %s N=%d R=%d k=%d d=%d seed %d: recall %.4f after %d steps, %s, %.1f s\n", t.variant.c_str(),
               t.mode.c_str(), t.entities, t.relations, t.hops, t.width, t.seed, t.recall, t.steps,
               t.passed == 1     ? "passed"
               : t.given_up == 1 ? "given up"
                                 : "failed",
               t.seconds);
}

void search_all(const crew& all, std::vector<threshold_problem> problems, const threshold_rule& rule, trial_log& trials,
                int threads, bool progress) {
  std::sort(problems.begin(), problems.end(), [](const auto& a, const auto& b) { return work(a) > work(b); });
  std::mutex taking;
  const auto next = [&] {
    const std::lock_guard lock(taking);
    return all.next();
  };
  parallel_for(threads, threads, [&](index_t) {
    for (long i = next(); i < std::ssize(problems); i = next())
      find_threshold(problems[static_cast<std::size_t>(i)], rule, trials, 1, [&](const trial& t) {
        if (progress) report(t);
      });
  });
}

/// What the trials of a finished sweep say; runs none.
std::vector<threshold> conclusions(const std::vector<threshold_problem>& problems, const threshold_rule& rule,
                                   trial_log& trials) {
  std::vector<threshold> found;
  for (const auto& p : problems) found.push_back(find_threshold(p, rule, trials, 1, [](const trial&) {}));
  return found;
}

}  // namespace

std::vector<threshold> sweep(const crew& all, const std::vector<threshold_problem>& problems,
                             const threshold_rule& rule, const std::string& log, int threads, bool progress) {
  const std::string settings = settings_of(rule);
  require(all.size == 1 || !log.empty(), "several processes need a --log to share their trials");
  if (log.empty()) {
    trial_log trials;
    search_all(all, problems, rule, trials, threads, progress);
    return conclusions(problems, rule, trials);
  }
  if (all.rank == 0) merge(log, settings);
  all.barrier();
  {
    trial_log trials(rank_file(log, all.rank), settings);
    trials.know(trial_log::read_all(log, settings));
    search_all(all, problems, rule, trials, threads, progress);
  }
  all.barrier();
  if (all.rank != 0) return {};
  merge(log, settings);
  trial_log trials(log, settings);
  return conclusions(problems, rule, trials);
}

std::string as_csv(const std::vector<threshold>& found, const threshold_rule& rule) {
  std::ostringstream out;
  out << "variant,mode,hops,relations,entities,width,fails_at,hidden_per_width,seeds,target\n";
  for (const auto& t : found)
    out << name_of(t.problem.which) << ',' << name_of(t.problem.asked.how) << ',' << t.problem.asked.hops << ','
        << t.problem.relations << ',' << t.problem.entities << ',' << t.passes << ',' << t.fails << ','
        << rule.hidden_per_width << ',' << rule.seeds.size() << ',' << rule.target << '\n';
  return out.str();
}

std::string fits(const std::vector<threshold>& found) {
  std::map<std::string, std::vector<threshold_point>> groups;
  for (const auto& t : found)
    if (t.passes > 0)
      groups[std::string(name_of(t.problem.which)) + ' ' + std::string(name_of(t.problem.asked.how))].push_back(
          {t.problem.entities, t.problem.relations, static_cast<double>(t.passes)});
  std::ostringstream out;
  for (const auto& [name, points] : groups) {
    if (points.size() < 4) continue;
    const auto line = fit_affine(points);
    const auto power = fit_power(points);
    out << name << ": d* ~ " << line.slope << " R log2 N + " << line.offset << " (rms " << line.rms << "), d* ~ "
        << power.scale << " R^" << power.relations << " N^" << power.entities << " (rms " << 100 * power.rms << " %)\n";
  }
  return out.str();
}
