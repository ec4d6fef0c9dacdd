#pragma once
#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "geofact/fact/fact_table.hpp"

namespace geofact {

namespace detail {
constexpr char ascii_lower(char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline std::string ascii_lower(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) c = ascii_lower(c);
  return lower;
}

/// The Levenshtein distance in bytes from the lower-case `a` to `b` in any ASCII case, or more than `limit` where it
/// exceeds that; `row` is scratch. Only the diagonals -limit..limit are visited: no cheaper edit leaves them.
inline index_t edit_distance(std::string_view a, std::string_view b, index_t limit, std::vector<index_t>& row) {
  const auto rows = std::ssize(a), columns = std::ssize(b);
  if ((std::max)(rows, columns) - (std::min)(rows, columns) > limit) return limit + 1;
  limit = (std::min)(limit, (std::max)(rows, columns));
  row.resize(b.size() + 1);
  std::iota(row.begin(), row.end(), index_t{0});
  index_t* const d = row.data();  // right of the band stands j > limit, left of it i > limit
  for (index_t i = 1; i <= rows; ++i) {
    const index_t first = (std::max)(index_t{1}, i - limit), last = (std::min)(columns, i + limit);
    index_t diagonal = std::exchange(d[first - 1], i), best = d[first - 1];
    for (index_t j = first; j <= last; ++j) {
      const index_t replaced =
          diagonal + (a[static_cast<std::size_t>(i - 1)] != ascii_lower(b[static_cast<std::size_t>(j - 1)]));
      diagonal = d[j];
      d[j] = (std::min)({replaced, diagonal + 1, d[j - 1] + 1});
      best = (std::min)(best, d[j]);
    }
    if (best > limit) return limit + 1;
  }
  return d[columns];
}
}  // namespace detail

/// A name as error sentences show it: between quotes, on one line, cut where it exceeds 80 bytes.
inline std::string in_quotes(std::string_view name) {
  std::size_t end = (std::min)(name.size(), std::size_t{80});
  while (0 < end && end < name.size() && (name[end] & 0xC0) == 0x80) --end;  // not inside a UTF-8 sequence
  std::string shown = '"' + std::string(name.substr(0, end)) + (end < name.size() ? "...\"" : "\"");
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return shown;
}

/// A bijection between names and the ids 0..size()-1, in order of arrival.
class names {
 public:
  int size() const { return static_cast<int>(all_.size()); }
  const std::vector<std::string>& all() const { return all_; }

  /// The name of `id`; throws where there is none.
  const std::string& operator[](int id) const {
    require(0 <= id && id < size(), "id ", id, " is not among the ids of the ", size(), " names");
    return all_[static_cast<std::size_t>(id)];
  }

  /// The id of `name`, or `unknown`.
  int find(std::string_view name) const { return all_.empty() ? unknown : slots_[slot(name)]; }

  /// The id of `name`; throws where there is none, with the nearest names. `kind` says what is named: "subject".
  int id(std::string_view name, const char* kind = "thing") const {
    const int found = find(name);
    if (found == unknown) detail::fail({"there is no ", kind, " called ", in_quotes(name), nearest_part(name)});
    return found;
  }

  /// The id of `name`, a new one if it has none.
  int intern(std::string_view name) {
    if (2 * (all_.size() + 1) > slots_.size()) grow();
    int& found = slots_[slot(name)];
    if (found == unknown) {
      const int fresh = to_extent(std::ssize(all_));
      all_.emplace_back(name);
      found = fresh;
    }
    return found;
  }

  /// The ids of the `count` names with the least edit distance to `name` (bytes, in any ASCII case), nearest first and
  /// of equals the first to arrive; fewer if there are fewer names.
  std::vector<int> nearest(std::string_view name, int count = 3) const {
    const std::string wanted = detail::ascii_lower(name);
    std::vector<std::pair<index_t, int>> best;  // (distance, id), ascending, at most `count`
    std::vector<index_t> row;
    index_t limit = count < 1 ? -1 : (std::numeric_limits<index_t>::max)() - 1;
    for (int id = 0; id < size() && limit >= 0; ++id) {
      const std::pair found{detail::edit_distance(wanted, (*this)[id], limit, row), id};
      if (found.first > limit) continue;
      best.insert(std::upper_bound(best.begin(), best.end(), found), found);
      if (std::ssize(best) > count) best.pop_back();
      if (std::ssize(best) == count) limit = best.back().first - 1;
    }
    std::vector<int> ids;
    for (const auto& [distance, id] : best) ids.push_back(id);
    return ids;
  }

  /// The part of an error sentence that helps with a misspelt `name`: ` (nearest: "Frank", "Franz")`, or nothing where
  /// there are no names.
  std::string nearest_part(std::string_view name, int count = 3) const {
    std::string part;
    for (int id : nearest(name, count)) part += (part.empty() ? " (nearest: " : ", ") + in_quotes((*this)[id]);
    return part.empty() ? part : part + ')';
  }

 private:
  /// Where the id of `name` is or would be: open addressing, at most half full.
  std::size_t slot(std::string_view name) const {
    std::size_t at = std::hash<std::string_view>{}(name);
    while (true) {
      at &= slots_.size() - 1;
      if (slots_[at] == unknown || all_[static_cast<std::size_t>(slots_[at])] == name) return at;
      ++at;
    }
  }

  void grow() {
    slots_.assign((std::max)(std::size_t{16}, 2 * slots_.size()), unknown);
    for (int id = 0; id < size(); ++id) slots_[slot((*this)[id])] = id;
  }

  std::vector<std::string> all_;
  std::vector<int> slots_;  // ids by hash; the size is a power of two
};

}  // namespace geofact
