#pragma once
#include <span>

#include "geofact/fact/fact_table.hpp"

namespace geofact {

/// The R^k questions of k hops. Path w asks for relation step(w, 0) first: w = sum_i step(w, i) R^i.
template <int Relations = dynamic, int Hops = dynamic>
struct path_set {
  [[no_unique_address]] extent<Relations, 0> relations{};
  [[no_unique_address]] extent<Hops, 1> hops{};

  /// R^k; throws where it does not fit an int.
  constexpr int size() const {
    index_t paths = 1;
    for (int hop = 0; hop < hops; ++hop) {
      paths *= relations;
      require(paths == static_cast<int>(paths), "the ", int{relations}, '^', int{hops}, " paths of ", int{hops},
              " hops are too many for one model");
    }
    return static_cast<int>(paths);
  }

  constexpr int step(int path, int hop) const {
    for (; hop > 0; --hop) path /= relations;
    return path % relations;
  }
};

/// f_w(s) = f_{r_k}(... f_{r_1}(s)), or `unknown` as soon as a step is.
template <fact_function F>
constexpr int follow(const F& facts, int subject, std::span<const int> relations) {
  for (int r : relations) {
    if (subject == unknown) break;
    subject = facts(subject, r);
  }
  return subject;
}

/// f_w(s) for the path w of `paths`.
template <fact_function F, int R, int K>
constexpr int follow(const F& facts, int subject, const path_set<R, K>& paths, int path) {
  for (int hop = 0; hop < paths.hops && subject != unknown; ++hop, path /= paths.relations)
    subject = facts(subject, path % paths.relations);
  return subject;
}

}  // namespace geofact
