#pragma once
#include <cstdint>
#include <vector>

#include "geofact/fact/fact_table.hpp"
#include "geofact/foundation/random.hpp"

namespace geofact {

/// How a generator draws its graph: `relations` colours (needed only where they are not static), each fact kept with
/// probability 1 - `missing`, all numbers from `seed`.
template <int Relations = dynamic>
struct graph_options {
  [[no_unique_address]] extent<Relations> relations{};
  double missing = 0;
  std::uint64_t seed = 1;
};

namespace detail {

/// f_r(s) = image(r)(s) into `attributes` attributes, less the missing facts. Stream 2r draws relation r, stream 2r + 1
/// draws what is missing of it.
template <int Relations, class Image>
constexpr fact_table<Relations> draw_graph(int subjects, int attributes, const graph_options<Relations>& options,
                                           Image image) {
  require(0 <= options.missing && options.missing <= 1, "the share of missing facts must be in [0, 1], not ",
          options.missing);
  fact_table<Relations> facts(subjects, options.relations, attributes);
  for (int r = 0; r < facts.relations(); ++r) {
    const auto stream = 2 * static_cast<std::uint64_t>(r);
    const random_stream loss(options.seed, stream + 1);
    const auto f = image(r, random_stream(options.seed, stream));
    for (int s = 0; s < subjects; ++s)
      if (loss.uniform(static_cast<std::uint64_t>(s)) >= options.missing) facts.set(s, r, f(s));
  }
  return facts;
}

/// A table of images as a function.
struct images {
  std::vector<int> to;
  constexpr int operator()(int s) const { return to[static_cast<std::size_t>(s)]; }
};

}  // namespace detail

/// R uniformly random permutations of N subjects: an R-regular edge-coloured graph where no fact is missing.
///
///     random_bijections<16>(4096, {.seed = 1})    random_bijections(4096, {.relations = 16, .seed = 1})
template <int Relations = dynamic>
constexpr fact_table<Relations> random_bijections(int subjects, const graph_options<Relations>& options = {}) {
  return detail::draw_graph(subjects, subjects, options, [&](int, const random_stream& random) {
    return detail::images{random_permutation(subjects, random)};
  });
}

/// R uniformly random perfect matchings (each relation its own inverse, no fixed points); N must be even.
template <int Relations = dynamic>
constexpr fact_table<Relations> perfect_matchings(int subjects, const graph_options<Relations>& options = {}) {
  require(subjects % 2 == 0, "a perfect matching needs an even number of subjects, got ", subjects);
  return detail::draw_graph(subjects, subjects, options, [&](int, const random_stream& random) {
    const auto order = random_permutation(subjects, random);
    std::vector<int> partner(order.size(), 0);
    for (std::size_t i = 0; i < order.size(); ++i) partner[static_cast<std::size_t>(order[i])] = order[i ^ 1];
    return detail::images{partner};
  });
}

/// R uniformly random functions of N subjects into A attributes.
template <int Relations = dynamic>
constexpr fact_table<Relations> random_functions(int subjects, int attributes,
                                                 const graph_options<Relations>& options = {}) {
  require(attributes >= 1, "facts need at least one attribute, got ", attributes);
  return detail::draw_graph(subjects, attributes, options, [&](int, const random_stream& random) {
    return [attributes, random](int s) { return random.below(attributes, static_cast<std::uint64_t>(s)); };
  });
}

/// The Cayley graph of the cyclic group Z_N with R random generators, f_r(s) = s + g_r mod N: facts with structure.
template <int Relations = dynamic>
constexpr fact_table<Relations> cyclic_cayley_graph(int subjects, const graph_options<Relations>& options = {}) {
  return detail::draw_graph(subjects, subjects, options, [&](int, const random_stream& random) {
    return [subjects, g = random.below(subjects, 0)](int s) { return static_cast<int>((index_t{s} + g) % subjects); };
  });
}

}  // namespace geofact
