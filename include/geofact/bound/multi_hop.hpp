#pragma once
#include "geofact/bound/counting.hpp"

namespace geofact::bound {

/// Whether the unembedding was fixed before the graph was drawn, or is learned: then its A rows of d_p coordinates
/// count as shared bits that depend on the graph.
enum class unembedding { fixed, learned };

/// What any model needs, whatever its shape: a lower bound that is never above the truth.
struct least {
  double bits = 0;         // rounded down
  index_t parameters = 0;  // the least whole number of parameters that hold so many bits
  index_t roots = 1;       // n, the subjects that the argument asks
  const char* formula = "";
  const char* assumptions = "";

  constexpr bool operator==(const least&) const = default;
};

namespace detail {
inline constexpr wide most_units = wide{1} << 124;  // 2^60 bits; no table count within the limits reaches 2^59

constexpr wide parameter_units(double bits_per_parameter) {
  require(bits_per_parameter > 0 && bits_per_parameter <= 0x1p20,
          "the bits per parameter must be above 0 and at most 2^20, not ", bits_per_parameter);
  return rounded_up(bits_per_parameter);
}

constexpr wide shared_units(double shared_bits) {
  require(shared_bits >= 0 && shared_bits <= 0x1p60, "the shared bits must be 0 to 2^60, not ", shared_bits);
  return rounded_up(shared_bits);
}

constexpr wide private_units(index_t dimension, double bits_per_parameter) {
  const wide each = parameter_units(bits_per_parameter);
  require(dimension >= 0, "the embedding dimension cannot be ", dimension);
  return dimension > most_units / each ? most_units : dimension * each;
}

/// Rows of d_p coordinates that `roots` questioned subjects read: their own, and a learned unembedding's.
constexpr index_t rows(const problem& p, unembedding u, index_t roots) {
  return roots + (u == unembedding::learned ? p.answers() : 0);
}

constexpr least report(wide units, wide each, const table_count& count, const char* assumptions) {
  const wide whole = units / each + (units % each != 0 ? 1 : 0), most = wide{1} << 62;
  return {rounded_down(units), static_cast<index_t>(whole < most ? whole : most), count.roots, count.formula,
          assumptions};
}

/// The bits that must be shared where every subject has `own` private ones.
constexpr table_count most_left_over(const problem& p, wide own, unembedding u, bool only_new = false) {
  const auto left = [&](wide low, index_t n) {
    const index_t read = rows(p, u, n);
    return own > low / read ? low / read - own : low - read * own;
  };
  return best_tables(p, left, only_new);
}
}  // namespace detail

/// Fewest bits in all, private and shared together: log2 of the number of tables of all N subjects. A learned
/// unembedding is among the parameters counted. Chain of thought: ask `one_hop(p)` (bound/single_hop.hpp).
constexpr least least_total(const problem& p, double bits_per_parameter = 1) {
  const wide each = detail::parameter_units(bits_per_parameter);
  const table_count count = least_tables(p, p.entities);
  return detail::report(count.low, each, count,
                        "every parameter that depends on the graph counts, private or shared; parameters that are the "
                        "same for every graph are free");
}

/// Fewest private bits of one subject (and, as `parameters`, the least embedding dimension that depends on the graph),
/// given `shared_bits`: the largest (log2 T_n - S) / n, or / (n + A) where the unembedding is learned
/// (docs/theory/counting.md, eq. 1).
constexpr least least_private(const problem& p, double bits_per_parameter = 1, double shared_bits = 0,
                              unembedding u = unembedding::fixed) {
  const wide each = detail::parameter_units(bits_per_parameter), shared = detail::shared_units(shared_bits);
  const auto worth = [&](wide low, index_t n) { return (low - shared) / detail::rows(p, u, n); };
  const table_count count = best_tables(p, worth);
  const wide value = larger(0, worth(count.low, count.roots));
  return detail::report(
      value, each, count,
      u == unembedding::fixed
          ? "private: coordinates read only when their subject is asked; shared: the given bits; "
            "free: what is the same for every graph, and the unembedding, fixed beforehand"
          : "private: coordinates read only when their subject is asked; shared: the given bits and a "
            "learned unembedding as wide as the embedding; free: what is the same for every graph");
}

/// Fewest shared bits (an MLP that holds facts), given the embedding dimension that depends on the graph: the largest
/// log2 T_n - n d b, less A d b for a learned unembedding (eq. 1).
constexpr least least_shared(const problem& p, double bits_per_parameter, index_t dimension,
                             unembedding u = unembedding::fixed) {
  const wide each = detail::parameter_units(bits_per_parameter);
  const wide own = detail::private_units(dimension, bits_per_parameter);
  const table_count count = detail::most_left_over(p, own, u);
  const index_t read = detail::rows(p, u, count.roots);
  const wide value = own > count.low / read ? 0 : count.low - read * own;
  return detail::report(
      value, each, count,
      u == unembedding::fixed
          ? "private: the given coordinates of each subject; shared: all other parameters that depend "
            "on the graph; the unembedding was fixed beforehand and is free"
          : "private: the given coordinates of each subject; a learned unembedding as wide is paid for "
            "apart; shared: all other parameters that depend on the graph");
}

/// The least number of hops k, up to 64, at which a bound shows that `dimension` coordinates a subject and
/// `shared_bits` cannot answer all paths of k hops; 0 if none does. More hops may be answerable again: with R = 1 there
/// are fewer k-th powers than permutations. `p.hops` is not read.
constexpr int first_failing_hops(problem p, double bits_per_parameter, index_t dimension, double shared_bits,
                                 unembedding u = unembedding::fixed) {
  const wide own = detail::private_units(dimension, bits_per_parameter), shared = detail::shared_units(shared_bits);
  p.hops = most_hops;
  p.check();  // A = N
  const wide graphs = log2_graphs(p).high;
  const index_t many = index_t{1} << 54;  // above R N: as good as more
  for (p.hops = 1; p.hops <= most_hops; ++p.hops) {
    // No bound rises any more: one relation has most tables at k = 1, or k - 2 hops have reached all entities.
    const bool reached = p.kind != graph::matching && p.hops > 1 && index_t{1} << (p.hops - 2) >= p.entities;
    if (p.hops > 1 && (p.relations == 1 || reached)) return 0;
    // n subjects are told at most n R^k log2 N bits, and at most the graph: with room where these meet, no n fails.
    const wide answers = capped_power(1, p.relations, p.hops, many) * log2_of(p.entities).high;
    if (own >= answers || shared >= graphs) continue;
    const auto meet = static_cast<index_t>(larger(1, graphs / answers));
    if (own > (graphs - shared) / detail::rows(p, u, meet)) continue;
    const table_count count = detail::most_left_over(p, own, u, true);
    const index_t read = detail::rows(p, u, count.roots);
    if (own <= count.low / read && count.low - read * own > shared) return p.hops;
  }
  return 0;
}

}  // namespace geofact::bound
