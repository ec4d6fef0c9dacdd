#pragma once
#include <algorithm>
#include <iomanip>
#include <ostream>
#include <sstream>
#include <vector>

#include "geofact/probe/folds.hpp"
#include "geofact/probe/jacobian.hpp"

namespace geofact::probe {

/// How much a hidden unit serves a relation.
enum class unit_score {
  activation,   ///< mean of the unit where the relation is asked
  selectivity,  ///< its share of the means of all relations
  information   ///< share of Var_s(h) |w2|^2: what the unit tells the output about the subject
};

/// The score of every unit of the last layer for every relation.                 // (relations, hidden)
template <class Model, int R, class Scalar = typename Model::Scalar>
matrix<Scalar> unit_scores(const Model& model, const fact_table<R>& facts, unit_score which) {
  require_fit(model, facts);
  matrix<Scalar> scores(facts.relations(), model.hidden());
  for (int r = 0; r < facts.relations(); ++r) {
    const auto units = units_under(model, known_subjects(facts, r), r).back();
    const vector<Scalar> mean = units.rowwise().mean();
    if (which == unit_score::information)
      scores.row(r) = (units.colwise() - mean).rowwise().squaredNorm().transpose().array() /
                      static_cast<Scalar>(units.cols()) * model.w2(model.layers() - 1).colwise().squaredNorm().array();
    else
      scores.row(r) = mean.transpose();
  }
  if (which == unit_score::activation) return scores;
  const row_vector<Scalar> sums = scores.colwise().sum();
  for (index_t unit = 0; unit < scores.cols(); ++unit)
    if (sums[unit] > Scalar{0}) scores.col(unit) /= sums[unit];
  return scores;
}

/// What a removed unit is replaced with: nothing, or its mean where the relation is asked.
enum class replacement { zero, mean };

/// How to remove units.
struct ablation_options {
  unit_score by = unit_score::information;
  replacement with = replacement::mean;
  double fraction = 0;  ///< of all units, for each relation; 0: those that serve the relation more than any other
  int random_draws = 5;
  int subjects = 512;
  std::uint64_t seed = 1;
};

/// Recall after removal of the units that serve one relation most.
struct ablation_outcome {
  int relation = 0, units = 0;
  double own = 0;                        ///< of the facts of that relation
  double others = 0;                     ///< of the facts of all others
  spread random_own{}, random_others{};  ///< the same where as many random units are removed
};

struct ablation_report {
  std::vector<ablation_outcome> relations;
  double intact = 0;  ///< recall with all units
};

inline std::ostream& operator<<(std::ostream& out, const ablation_report& report) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(3) << "recall with all units " << report.intact
       << "\nrelation | units removed | own recall | others | random units: own | others\n";
  for (const auto& one : report.relations)
    text << std::setw(8) << one.relation << " | " << std::setw(13) << one.units << " | " << std::setw(10) << one.own
         << " | " << std::setw(6) << one.others << " | " << std::setw(17) << one.random_own.mean << " | "
         << std::setw(6) << one.random_others.mean << '\n';
  return out << text.str();
}

/// y of units of the last layer and the stream that entered it.   // (hidden, subjects), (width, subjects)
template <class Model, class Scalar = typename Model::Scalar>
matrix<Scalar> output_of_units(const Model& model, const matrix<Scalar>& units, const matrix<Scalar>& stream) {
  const int last = model.layers() - 1;
  matrix<Scalar> y = model.w2(last) * units;
  y.colwise() += model.b2(last);
  if (model.residual()) y += stream.topRows(y.rows());
  return y;
}

namespace detail {

/// The last layer's units of some subjects under one relation, and what it takes to answer from them.
template <class Model, int R>
struct run_of {
  using Scalar = typename Model::Scalar;
  run_of(const Model& m, const fact_table<R>& f, const std::vector<int>& asked, int relation)
      : model(m), facts(f), r(relation), subjects(asked) {
    require(model.layers() >= 1, "a model without layers has no hidden units");
    stream = streams_under(model, subjects, r);
    auto tape = activations(model, stream);
    units = std::move(tape.units.back());
    if (model.residual()) stream = std::move(tape.streams.back());
  }

  std::vector<int> answers(const matrix<Scalar>& changed) const {
    return attributes_of(model, output_of_units(model, changed, stream), facts.codomain(r));
  }
  double recall(const matrix<Scalar>& changed) const {
    const auto said = answers(changed);
    double right = 0;
    for (std::size_t i = 0; i < said.size(); ++i) right += said[i] == facts(subjects[i], r);
    return right / static_cast<double>(said.size());
  }

  const Model& model;
  const fact_table<R>& facts;
  int r;
  std::vector<int> subjects;
  matrix<Scalar> stream, units;  // (width, subjects), (hidden, subjects)
};

/// `count` units of greatest score for relation r, or all that serve it most where count is 0.
template <class Scalar>
std::vector<int> best_units(const matrix<Scalar>& scores, int r, int count) {
  std::vector<int> units;
  for (int unit = 0; unit < scores.cols(); ++unit) {
    index_t most = 0;
    if (count > 0 || (scores.col(unit).maxCoeff(&most) > Scalar{0} && most == r)) units.push_back(unit);
  }
  std::sort(units.begin(), units.end(), [&](int a, int b) { return scores(r, a) > scores(r, b); });
  if (count > 0) units.resize((std::min)(units.size(), static_cast<std::size_t>(count)));
  return units;
}

/// Known subjects of relation r among a sample.
template <int R>
std::vector<int> sampled_subjects(const fact_table<R>& facts, int r, int count, std::uint64_t seed) {
  const auto known = known_subjects(facts, r);
  require(!known.empty(), "relation ", r, " has no facts");
  return pick(known, sample(static_cast<int>(known.size()), count, seed));
}

}  // namespace detail

/// Removes the units that serve each relation most and asks all relations. As a control, as many random units.
/// Throws where a relation has no units of its own to remove: an ablation that changes nothing is an error.
template <std::floating_point Scalar, shape S, int R>
ablation_report ablate_units(const parameters<Scalar, S>& model, const fact_table<R>& facts,
                             const ablation_options& options = {}) {
  require(options.fraction >= 0 && options.fraction <= 1, "the share of removed units must be in [0, 1], not ",
          options.fraction);
  require(options.random_draws >= 1, "an ablation needs at least one draw of random units as a control");
  const auto scores = unit_scores(model, facts, options.by);
  std::vector<detail::run_of<parameters<Scalar, S>, R>> runs;
  ablation_report report;
  for (int r = 0; r < facts.relations(); ++r) {
    runs.emplace_back(model, facts, detail::sampled_subjects(facts, r, options.subjects, options.seed), r);
    report.intact += runs.back().recall(runs.back().units);
  }
  report.intact /= facts.relations();
  const auto recall_without = [&](const auto& run, const std::vector<int>& removed) {
    matrix<Scalar> units = run.units;
    for (int unit : removed)
      units.row(unit).setConstant(options.with == replacement::mean ? run.units.row(unit).mean() : Scalar{0});
    return std::pair{run.recall(units), units != run.units};
  };
  for (int r = 0; r < facts.relations(); ++r) {
    const int count = static_cast<int>(std::lround(options.fraction * model.hidden()));
    require(options.fraction == 0 || count > 0, options.fraction, " of ", model.hidden(), " units is no unit");
    const auto removed = detail::best_units(scores, r, count);
    ablation_outcome found{.relation = r, .units = static_cast<int>(removed.size())};
    const auto measure = [&](const std::vector<int>& units, double& own, double& others) {
      bool changes = false;
      for (const auto& run : runs) {
        const auto [recall, changed] = recall_without(run, units);
        changes = changes || changed;
        if (run.r == r) own = recall;
        if (run.r != r) others += recall;
      }
      others /= (std::max)(1, facts.relations() - 1);
      return changes;
    };
    require(measure(removed, found.own, found.others), "the ablation for relation ", r, " of ", removed.size(),
            " units changes nothing: it is no intervention");
    std::vector<double> own, others;
    for (int draw = 0; draw < options.random_draws; ++draw) {
      own.push_back(0), others.push_back(0);
      measure(sample(model.hidden(), found.units,
                     options.seed + 100 * static_cast<std::uint64_t>(r + 1) + static_cast<std::uint64_t>(draw)),
              own.back(), others.back());
    }
    found.random_own = spread(own), found.random_others = spread(others);
    report.relations.push_back(found);
  }
  return report;
}

}  // namespace geofact::probe
