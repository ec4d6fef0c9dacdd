#pragma once
#include <vector>

#include "geofact/probe/intervention.hpp"
#include "geofact/probe/units.hpp"

namespace geofact::probe {

/// What is carried over from the run about (s', r') into the run about (s, r), and so what must be answered.
enum class site {
  subject,   ///< the subject's token: f_r(s')
  relation,  ///< the relation's token: f_{r'}(s)
  units,     ///< all hidden units of the last layer: f_{r'}(s')
};

struct interchange_options {
  int pairs = 512;
  std::uint64_t seed = 1;
};

/// Interchange of activations between two runs (Geiger et al., arXiv 2106.02997).
struct interchange_report {
  int pairs = 0;
  double counterfactual = 0;  ///< share that gives the answer which the carried part says
  double base = 0;            ///< share that still gives the base run's answer
  double random = 0;          ///< the control: counterfactual share where the part of a third run is carried over
};

/// Carries the activation at one site from one run to another. Questions are drawn such that the base's answer and the
/// counterfactual one differ. Throws where all activations that are carried over are alike.
template <std::floating_point Scalar, shape S, int R>
interchange_report interchange(const parameters<Scalar, S>& model, const fact_table<R>& facts, site where,
                               const interchange_options& options = {}) {
  require_fit(model, facts);
  require(model.heads() == 0, "an interchange of tokens needs uniform attention, and this model has ", model.heads(),
          " heads");
  require(options.pairs >= 1, "an interchange needs at least one pair of runs");
  const random_stream random(options.seed, 0x696e7463);
  struct question {
    int s, r;
  };
  std::vector<question> bases, sources, thirds;
  std::uint64_t draws = 0;
  const auto draw = [&] {
    const int s = random.below(facts.subjects(), 2 * draws), r = random.below(facts.relations(), 2 * draws + 1);
    ++draws;
    return question{s, r};
  };
  const auto label = [&](const question& base, const question& source) {
    return where == site::subject    ? facts(source.s, base.r)
           : where == site::relation ? facts(base.s, source.r)
                                     : facts(source.s, source.r);
  };
  while (std::ssize(bases) < options.pairs && draws < 100 * static_cast<std::uint64_t>(options.pairs)) {
    const question base = draw(), source = draw(), third = draw();
    const int wanted = label(base, source), own = facts(base.s, base.r);
    if (wanted == unknown || own == unknown || wanted == own || label(base, third) == wanted) continue;
    bases.push_back(base), sources.push_back(source), thirds.push_back(third);
  }
  require(!bases.empty(), "no two questions have different answers: there is nothing to interchange");

  const auto stream = [&](int s, int r) { return vector<Scalar>(model.entity().col(s) + model.relation().col(r)); };
  const auto units = [&](const matrix<Scalar>& x) {
    const auto tape = activations(model, x);
    return std::pair{tape.units.back(), model.residual() ? tape.streams.back() : matrix<Scalar>()};
  };
  const auto streams = [&](const std::vector<question>& subjects, const std::vector<question>& relations) {
    matrix<Scalar> x(model.width(), std::ssize(bases));
    for (index_t i = 0; i < x.cols(); ++i)
      x.col(i) = stream(subjects[static_cast<std::size_t>(i)].s, relations[static_cast<std::size_t>(i)].r);
    return x;
  };
  const auto carried = [&](const std::vector<question>& from, bool control) {
    if (where == site::units) {
      const auto own = units(streams(bases, bases)), other = units(streams(from, from));
      require(control || own.first != other.first, "the interchange changes no unit: it is no intervention");
      return output_of_units(model, other.first, own.second);
    }
    const matrix<Scalar> own = streams(bases, bases),
                         mixed = where == site::subject ? streams(from, bases) : streams(bases, from);
    require(control || own != mixed, "the interchange changes no token: it is no intervention");
    return mlp(model, mixed);
  };
  const matrix<Scalar> y = carried(sources, false), control = carried(thirds, true);
  interchange_report report{.pairs = static_cast<int>(bases.size())};
  for (index_t i = 0; i < y.cols(); ++i) {
    const auto& base = bases[static_cast<std::size_t>(i)];
    const auto& source = sources[static_cast<std::size_t>(i)];
    const attribute_range range = facts.codomain(where == site::subject ? base.r : source.r);
    const int wanted = label(base, source);
    const auto said = attributes_of(model, matrix<Scalar>(y.col(i)), range);
    report.counterfactual += said[0] == wanted;
    report.base += said[0] == facts(base.s, base.r);
    report.random += attributes_of(model, matrix<Scalar>(control.col(i)), range)[0] == wanted;
  }
  for (double* share : {&report.counterfactual, &report.base, &report.random}) *share /= report.pairs;
  return report;
}

/// Interchange of the units that serve relation r between two subjects that are both asked r: they should carry the
/// answer, all other units should not, and as many random units should carry little.
struct unit_interchange {
  int relation = 0, units = 0;
  double own_units = 0;     ///< share that gives the donor's answer after an interchange of the units of r
  double other_units = 0;   ///< the same after an interchange of all other units
  double random_units = 0;  ///< the same for as many random units as r has
};

/// Throws where a relation has no units of its own, or one answer only.
template <std::floating_point Scalar, shape S, int R>
std::vector<unit_interchange> interchange_units(const parameters<Scalar, S>& model, const fact_table<R>& facts,
                                                const ablation_options& options = {}) {
  const auto scores = unit_scores(model, facts, options.by);
  std::vector<unit_interchange> report;
  for (int r = 0; r < facts.relations(); ++r) {
    const auto pairs = detail::donors(facts, sample(facts.subjects(), options.subjects, options.seed), r,
                                      random_stream(options.seed, static_cast<std::uint64_t>(r)));
    std::vector<int> base, donor;
    for (const auto& [s, other] : pairs) base.push_back(s), donor.push_back(other);
    const detail::run_of<parameters<Scalar, S>, R> own(model, facts, base, r), from(model, facts, donor, r);
    const auto units = detail::best_units(scores, r, static_cast<int>(std::lround(options.fraction * model.hidden())));
    require(!units.empty(), "relation ", r, " has no units of its own to interchange");
    std::vector<int> rest;
    for (int unit = 0; unit < model.hidden(); ++unit)
      if (std::find(units.begin(), units.end(), unit) == units.end()) rest.push_back(unit);
    const auto carried = [&](const std::vector<int>& which) {
      matrix<Scalar> mixed = own.units;
      for (int unit : which) mixed.row(unit) = from.units.row(unit);
      const auto said = own.answers(mixed);
      double right = 0;
      for (std::size_t i = 0; i < said.size(); ++i) right += said[i] == facts(donor[i], r);
      return right / static_cast<double>(said.size());
    };
    const auto count = static_cast<int>(units.size());
    report.push_back({r, count, carried(units), carried(rest),
                      carried(sample(model.hidden(), count, options.seed + static_cast<std::uint64_t>(r)))});
  }
  return report;
}

}  // namespace geofact::probe
