#pragma once
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <numeric>
#include <ostream>
#include <utility>
#include <vector>

#include "geofact/construction/judge.hpp"
#include "geofact/fact/path.hpp"
#include "geofact/foundation/parallel.hpp"
#include "geofact/foundation/random.hpp"
#include "geofact/model/ask.hpp"
#include "geofact/model/shape.hpp"

namespace geofact {

/// How to verify. Up to `limit` questions all are asked; above, every subject is asked about limit / N random paths (at
/// least one). A chain of thought of k hops counts as k^2 questions.
struct verify_options {
  decoder how = decoder::automatic;
  double limit = 1 << 24;
  std::uint64_t seed = 1;
  int threads = 0;                                 ///< 0: one per core
  std::function<void(double)> progress = nullptr;  ///< told the share that is done; one call at a time
};

/// What verify found.
struct verification : tally {
  double possible = 0;            ///< N R^k questions
  decoder how = decoder::argmax;  ///< the decoder that was used; with `sign`, margin is a lower bound

  index_t questions() const { return recalled + wrong + ties + unknown; }
  bool sampled() const { return static_cast<double>(questions()) < possible; }
  /// Whether every fact asked for was recalled and nothing was answered where there is none.
  bool exact() const { return wrong == 0 && ties == 0; }
};

inline std::ostream& operator<<(std::ostream& out, const verification& v) {
  out << v.recalled << " of " << v.questions() - v.unknown << " recalled";
  if (v.wrong > 0) out << ", " << v.wrong << " wrong";
  if (v.ties > 0) out << ", " << v.ties << " ties";
  if (v.unknown > 0) out << ", " << v.unknown << " unknown and not guessed";
  if (v.recalled > 0) out << ", margin " << (v.how == decoder::sign ? "at least " : "") << v.margin;
  if (v.sampled()) out << " (a sample of " << v.possible << " questions)";
  return out;
}

namespace detail {

/// Which paths each tile of subjects is asked about.
struct path_plan {
  int relations, hops;
  index_t paths;  ///< per tile
  bool all;
  std::uint64_t seed;

  template <class Ask>
  void for_each(index_t tile, const Ask& ask) const {
    std::vector<int> path(static_cast<std::size_t>(hops));
    for (index_t i = 0; i < paths; ++i) {
      const random_stream random(seed, static_cast<std::uint64_t>(tile * paths + i));
      index_t rest = i;
      for (std::size_t hop = 0; hop < path.size(); ++hop, rest /= relations)
        path[hop] = all ? static_cast<int>(rest % relations) : random.below(relations, hop);
      ask(std::as_const(path));
    }
  }
};

/// Asks about a tile of subjects directly. Under uniform attention the first layer factorises: W1 acts once on each
/// subject and once on each relation token, and the preactivation of a question is a sum (theory/model.md).
template <class Model, int R>
struct direct_exam {
  using Scalar = typename Model::Scalar;

  direct_exam(const Model& m, const fact_table<R>& f, decoder how, double questions)
      : model(m),
        facts(f),
        compare(m, how, questions),
        factorises(m.heads() == 0 && m.positions() == 0 && m.layers() > 0 && !m.residual()) {
    if (factorises) tokens = product(m.w1(0), m.relation());
  }

  tally operator()(index_t first, index_t count, index_t tile, const path_plan& plan) const {
    std::vector<int> subjects(static_cast<std::size_t>(count)), expected(subjects);
    std::iota(subjects.begin(), subjects.end(), static_cast<int>(first));
    matrix<Scalar> from_subjects;
    if (factorises) from_subjects = preactivation(model, 0, model.entity().middleCols(first, count));
    tally found;
    plan.for_each(tile, [&](const std::vector<int>& path) {
      for (std::size_t q = 0; q < expected.size(); ++q) expected[q] = follow(facts, subjects[q], path);
      const auto y = factorises ? from_factors(from_subjects, path) : output_direct(model, subjects, path);
      for (const outcome& one : compare(y, expected, facts.codomain(path.back()))) found.add(one);
    });
    return found;
  }

  matrix<Scalar> from_factors(const matrix<Scalar>& from_subjects, const std::vector<int>& path) const {
    vector<Scalar> asked = vector<Scalar>::Zero(tokens.rows());
    for (std::size_t hop = 0; hop < path.size(); ++hop)
      asked += tokens.col(static_cast<index_t>(hop) * facts.relations() + path[hop]);
    return mlp_from_preactivation(model, matrix<Scalar>(from_subjects.colwise() + asked), {});
  }

  const Model& model;
  const fact_table<R>& facts;
  judge<Model> compare;
  bool factorises;
  matrix<Scalar> tokens;  // of relations, after W1: (hidden, k R)
};

/// Asks about a tile of subjects by chain of thought. A question is recalled where every step is; so each step may be
/// fed the right entity: that is what the model itself said wherever it still counts.
template <class Model, int R>
struct chain_exam {
  chain_exam(const Model& m, const fact_table<R>& f, decoder how, double questions)
      : model(m), facts(f), compare(m, how, questions) {}

  tally operator()(index_t first, index_t count, index_t tile, const path_plan& plan) const {
    tally found;
    plan.for_each(tile, [&](const std::vector<int>& path) {
      std::vector<int> entities(static_cast<std::size_t>(count)), next(entities);
      std::iota(entities.begin(), entities.end(), static_cast<int>(first));
      std::vector<outcome> chain(entities.size(), outcome{outcome::recalled, std::numeric_limits<double>::infinity()});
      auto sequence = begin_chain(model, count, path);
      for (int r : path) {
        sequence.append(entities);
        for (std::size_t q = 0; q < next.size(); ++q) next[q] = facts(entities[q], r);
        const auto step = compare(mlp(model, sequence.stream()), next, {0, model.attributes()});
        for (std::size_t q = 0; q < next.size(); ++q) {
          if (chain[q].what == outcome::recalled)
            chain[q] = {step[q].what, (std::min)(chain[q].margin, step[q].margin)};
          if (chain[q].what == outcome::recalled) entities[q] = next[q];
        }
      }
      for (const outcome& one : chain) found.add(one);
    });
    return found;
  }

  const Model& model;
  const fact_table<R>& facts;
  judge<Model> compare;
};

/// What verify asks.
struct exam_plan {
  bool chain;       ///< step by step, or at once
  double possible;  ///< questions there are
  path_plan paths;
  index_t tile, tiles;  ///< of subjects
};

/// Throws where a model of these sizes and the facts do not belong together.
template <shape S, int R>
exam_plan plan_exam(const sizes<S>& n, int hidden, const fact_table<R>& facts, const verify_options& options) {
  const bool chain = n.heads > 0 && n.positions > 0;
  const int relations = facts.relations(), hops = chain ? n.positions / 2 : n.relations / relations;
  require(chain ? n.relations == relations : hops >= 1 && n.relations == hops * relations, "a model of ",
          int{n.relations}, " relation tokens does not fit facts with ", relations, " relations");
  require(n.entities >= (chain ? facts.entities() : facts.subjects()) && n.attributes >= facts.attributes(),
          "a model of ", int{n.entities}, " entities and ", int{n.attributes}, " attributes does not fit facts with ",
          facts.subjects(), " subjects and ", facts.attributes(), " attributes");
  require(hops == 1 || facts.shared(), hops, " hops need answers that are subjects: the attributes must be shared");
  const double possible = facts.subjects() * std::pow(relations, hops);
  const double limit = options.limit / (chain ? hops * hops : 1);
  const bool all = possible <= limit;
  const double paths = all ? std::pow(relations, hops) : (std::max)(1.0, std::floor(limit / facts.subjects()));
  const index_t tile = std::clamp<index_t>((index_t{1} << 19) / (std::max)(1, hidden), 16, 256);
  return {chain,
          possible,
          {relations, hops, static_cast<index_t>(paths), all, options.seed},
          tile,
          (facts.subjects() + tile - 1) / tile};
}

}  // namespace detail

/// Asks a model the k-hop questions of the facts and counts what becomes of them. The model says how: one with learned
/// attention and positions thinks step by step, any other answers at once; k follows from its sizes.
/// Throws where model and facts do not belong together.
template <class Model, int R>
verification verify(const Model& model, const fact_table<R>& facts, const verify_options& options = {}) {
  const auto plan = detail::plan_exam(model.extents(), model.hidden(), facts, options);
  verification result;
  result.possible = plan.possible;
  index_t done = 0;
  std::mutex adding;
  const auto run = [&](const auto& exam) {
    result.how = exam.compare.how();
    parallel_for(plan.tiles, thread_count(options.threads), [&](index_t t) {
      const tally part = exam(t * plan.tile, (std::min)(plan.tile, facts.subjects() - t * plan.tile), t, plan.paths);
      const std::lock_guard lock(adding);
      result.add(part);
      if (options.progress) options.progress(static_cast<double>(++done) / static_cast<double>(plan.tiles));
    });
  };
  const double questions = static_cast<double>(plan.paths.paths) * facts.subjects();
  if constexpr (Model::static_shape.heads != 0 && Model::static_shape.positions != 0)
    if (plan.chain) run(detail::chain_exam<Model, R>(model, facts, options.how, questions * plan.paths.hops));
  if (!plan.chain) run(detail::direct_exam<Model, R>(model, facts, options.how, questions));
  return result;
}

}  // namespace geofact
