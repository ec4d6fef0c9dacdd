#pragma once
#include <algorithm>
#include <concepts>
#include <type_traits>
#include <vector>

#include "geofact/foundation/memory.hpp"

namespace geofact {

/// The answer to a question that has none.
inline constexpr int unknown = -1;

/// Anything that tells f_r(s), the attribute of subject s under relation r, or `unknown`.
template <class F>
concept fact_function = requires(const F& f, int s, int r) {
  { f(s, r) } -> std::convertible_to<int>;
};

/// Attributes first..last-1.
struct attribute_range {
  int first = 0, last = 0;
  constexpr int size() const { return last - first; }
  constexpr bool contains(int a) const { return first <= a && a < last; }
  constexpr bool operator==(const attribute_range&) const = default;
};

/// N subjects x R relations -> A attributes; every entry is an attribute or `unknown` (theory/setting.md).
///
/// *Shared* attributes: all relations answer from the same 0..A-1, and attribute a < N is subject a, so that answers
/// can be asked about in turn. *Disjoint* attributes: relation r answers from a range of its own.
template <int Relations = dynamic>
class fact_table {
 public:
  /// Shared attributes, nothing known yet.
  constexpr fact_table(int subjects, extent<Relations> relations, int attributes)
      : fact_table(subjects, relations, attributes, std::vector<int>{}) {}

  /// Disjoint attributes: relation r answers from sizes[r] attributes of its own.
  static constexpr fact_table disjoint(int subjects, const std::vector<int>& sizes) {
    std::vector<int> ends;
    index_t end = 0;
    for (int size : sizes) {
      require(size >= 1, "relation ", ends.size(), " needs at least one attribute, got ", size);
      ends.push_back(to_extent(end += size));
    }
    return fact_table(subjects, extent<Relations>(static_cast<int>(sizes.size())), static_cast<int>(end), ends);
  }

  constexpr int subjects() const { return subjects_; }
  constexpr int relations() const { return relations_; }
  constexpr int attributes() const { return attributes_; }
  constexpr bool shared() const { return ends_.empty(); }
  /// Names that a question can start from or end at: subjects and, where they are shared, attributes.
  constexpr int entities() const { return shared() ? (std::max)(subjects_, attributes_) : subjects_; }

  /// The attributes that relation r may answer with.
  constexpr attribute_range codomain(int r) const {
    if (shared()) return {0, attributes_};
    return {r == 0 ? 0 : ends_[static_cast<std::size_t>(r - 1)], ends_[static_cast<std::size_t>(r)]};
  }

  /// f_r(s); `unknown` for a missing fact and for an s that is no subject.
  constexpr int operator()(int s, int r) const { return s < 0 || s >= subjects_ ? unknown : to_[at(s, r)]; }

  /// States f_r(s) = a, or forgets the fact if a == unknown.
  constexpr void set(int s, int r, int a) {
    require(0 <= s && s < subjects_, "subject ", s, " is not among the ", subjects_, " subjects");
    require(0 <= r && r < relations_, "relation ", r, " is not among the ", int{relations_}, " relations");
    require(a == unknown || codomain(r).contains(a), "attribute ", a, " is not among those of relation ", r);
    to_[at(s, r)] = a;
  }

  /// How many facts are known, of N R.
  constexpr index_t known() const {
    return static_cast<index_t>(to_.size()) - std::count(to_.begin(), to_.end(), unknown);
  }
  constexpr bool total() const { return known() == static_cast<index_t>(to_.size()); }

 private:
  constexpr fact_table(int subjects, extent<Relations> relations, int attributes, const std::vector<int>& ends)
      : subjects_(subjects), attributes_(attributes), relations_(relations), ends_(ends) {
    require(subjects >= 1, "facts need at least one subject, got ", subjects);
    require(relations >= 1, "facts need at least one relation, got ", int{relations});
    require(attributes >= 1, "facts need at least one attribute, got ", attributes);
    const index_t facts = checked_product(subjects, relations);
    if (!std::is_constant_evaluated()) require_memory(facts, sizeof(int), "a table of these facts");
    to_.assign(static_cast<std::size_t>(facts), unknown);
  }
  constexpr std::size_t at(int s, int r) const { return static_cast<std::size_t>(index_t{r} * subjects_ + s); }

  int subjects_, attributes_;
  [[no_unique_address]] extent<Relations> relations_;
  std::vector<int> ends_;  // of each relation's attributes; empty if shared
  std::vector<int> to_;    // [relation][subject]
};

}  // namespace geofact
