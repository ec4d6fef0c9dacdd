#pragma once
#include <algorithm>
#include <iomanip>
#include <numbers>
#include <ostream>
#include <sstream>
#include <utility>

#include "geofact/probe/folds.hpp"
#include "geofact/probe/ridge.hpp"

namespace geofact::probe {

/// How to fit states as sums of answers.
struct superposition_options {
  int folds = 5;
  int shuffles = 3;     ///< repetitions of the control with shuffled facts
  double energy = 0.9;  ///< share of the variance of A_r u that the subspace of relation r holds
  std::uint64_t seed = 1;
  int threads = 0;
  std::vector<double> lambdas = usual_lambdas();
};

/// The vectors of a subject's answers, one below the other; for an unknown fact the mean of the relation's answers.
/// targets (dimensions, attributes) -> (relations x dimensions, subjects)
template <class Scalar, int R>
matrix<Scalar> stacked_answers(const matrix<Scalar>& targets, const fact_table<R>& facts) {
  const index_t k = targets.rows();
  matrix<Scalar> x(k * facts.relations(), facts.subjects());
  for (int r = 0; r < facts.relations(); ++r) {
    const auto known = known_subjects(facts, r);
    vector<Scalar> mean = vector<Scalar>::Zero(k);
    for (int s : known) mean += targets.col(facts(s, r)) / static_cast<Scalar>(known.size());
    for (int s = 0; s < facts.subjects(); ++s) {
      const int a = facts(s, r);
      if (a == unknown)
        x.col(s).segment(r * k, k) = mean;
      else
        x.col(s).segment(r * k, k) = targets.col(a);
    }
  }
  return x;
}

/// e_s = mean + sum_r A_r (u_{f_r(s)} - mean of relation r), as one linear map.
template <class Scalar>
struct superposition_map {
  linear_map<Scalar> fit;
  index_t dimensions = 0;  ///< of an answer's vector

  /// A_r                                                                        // (width, dimensions)
  auto part(int r) const { return fit.map.middleCols(r * dimensions, dimensions); }
  /// A_r times the answers that stand in stacked_answers(), less the mean.      // (width, subjects)
  matrix<Scalar> written(int r, const matrix<Scalar>& answers) const {
    const index_t first = r * dimensions;
    return part(r) * (answers.middleRows(first, dimensions).colwise() - fit.mean_x.segment(first, dimensions));
  }
};

/// The map from all subjects.            // states (width, subjects), targets (dimensions, attributes)
template <class Scalar, int R>
superposition_map<Scalar> fit_superposition(const matrix<Scalar>& states, const matrix<Scalar>& targets,
                                            const fact_table<R>& facts, std::vector<double> lambdas = usual_lambdas(),
                                            int threads = 0) {
  return {ridge<Scalar>(stacked_answers(targets, facts), std::move(lambdas), threads)(states), targets.rows()};
}

/// How two subspaces lie to each other.
struct subspace_angle {
  double square_cosine = 0;  ///< mean over the principal angles; 0: orthogonal, 1: one holds the other
  double chance = 0;         ///< its mean for random subspaces of these dimensions
  double least_degrees = 0;  ///< the least principal angle
};

/// What the fit of states as sums of answers found.
struct superposition_report {
  double r2 = 0;                                    ///< of held-out subjects
  spread shuffled{};                                ///< the same for shuffled facts
  double random = 0;                                ///< the same for random states
  double lambda = 0;                                ///< of the fit to all subjects
  std::vector<double> shares;                       ///< of the held-out variance, by relation; their sum is about R^2
  std::vector<int> dimensions;                      ///< that relation r writes into
  std::vector<std::vector<subspace_angle>> angles;  ///< [relation][relation]
  std::vector<std::string> warnings;

  double selectivity() const { return r2 - shuffled.mean; }
};

inline std::ostream& operator<<(std::ostream& out, const superposition_report& report) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(3) << "e_s as a sum of answers: held-out R^2 " << report.r2 << ", shuffled "
       << report.shuffled.mean << " +- " << report.shuffled.deviation << ", random states " << report.random
       << "\nrelation | share of the variance | dimensions | square cosine to the other relations (chance)\n";
  for (std::size_t r = 0; r < report.shares.size(); ++r) {
    text << std::setw(8) << r << " | " << std::setw(21) << report.shares[r] << " | " << std::setw(10)
         << report.dimensions[r] << " |";
    for (std::size_t q = 0; q < report.shares.size(); ++q)
      if (q != r) text << ' ' << report.angles[r][q].square_cosine << " (" << report.angles[r][q].chance << ')';
    text << '\n';
  }
  for (const auto& warning : report.warnings) text << "warning: " << warning << '\n';
  return out << text.str();
}

namespace detail {

/// Held-out R^2 of states as a linear map of `answers`, and each relation's share. states(subjects): their states.
template <class States, class Scalar>
double held_out_superposition(const States& states, const matrix<Scalar>& answers, index_t dimensions,
                              const superposition_options& options, std::vector<double>* shares = nullptr) {
  double errors = 0, total = 0;
  for (const fold& part : split(static_cast<int>(answers.cols()), options.folds, options.seed)) {
    const superposition_map<Scalar> fitted{
        ridge<Scalar>(answers(Eigen::all, part.fitted), options.lambdas, options.threads)(states(part.fitted)),
        dimensions};
    const matrix<Scalar> held_out = answers(Eigen::all, part.held_out);
    const matrix<Scalar> wanted = states(part.held_out).colwise() - fitted.fit.mean_y;
    errors += static_cast<double>((wanted - fitted.fit.centred(held_out)).squaredNorm());
    total += static_cast<double>(wanted.squaredNorm());
    if (shares != nullptr)
      for (std::size_t r = 0; r < shares->size(); ++r)
        (*shares)[r] += static_cast<double>(fitted.written(static_cast<int>(r), held_out).cwiseProduct(wanted).sum());
  }
  if (shares != nullptr)
    for (double& share : *shares) share = total > 0 ? share / total : 0;
  return total > 0 ? 1 - errors / total : 0;
}

/// An orthonormal basis of the directions that hold `energy` of the variance of `written`.  // (width, subjects)
template <class Scalar>
matrix<Scalar> principal_directions(const matrix<Scalar>& written, double energy) {
  const matrix<Scalar> square = written * written.transpose();
  const Eigen::SelfAdjointEigenSolver<matrix<double>> eigen(square.template cast<double>().eval());
  const double all = eigen.eigenvalues().cwiseMax(0.0).sum();
  index_t count = 0;
  for (double held = 0; count < written.rows() && held < energy * all; ++count)
    held += eigen.eigenvalues()[written.rows() - 1 - count];
  return eigen.eigenvectors().rightCols(count).template cast<Scalar>();
}

template <class Scalar>
subspace_angle angle_between(const matrix<Scalar>& a, const matrix<Scalar>& b) {
  const index_t least = (std::min)(a.cols(), b.cols()), most = (std::max)(a.cols(), b.cols());
  if (least == 0) return {0, 0, 90};
  // The squares of the cosines of the principal angles are the eigenvalues of (a'b)'(a'b).
  const matrix<double> cosines = (a.transpose() * b).template cast<double>();
  const Eigen::SelfAdjointEigenSolver<matrix<double>> squares((cosines.transpose() * cosines).eval(),
                                                              Eigen::EigenvaluesOnly);
  const double most_alike = std::sqrt(std::clamp(squares.eigenvalues()[b.cols() - 1], 0.0, 1.0));
  return {cosines.squaredNorm() / static_cast<double>(least), static_cast<double>(most) / static_cast<double>(a.rows()),
          std::acos(most_alike) * 180 / std::numbers::pi};
}

}  // namespace detail

/// Fits states as superpositions of the vectors of their answers, e_s ~ sum_r A_r u_{f_r(s)}: R^2 on held-out subjects
/// with its controls, each relation's share, and the angles between what the relations write.
///
/// Throws where the sizes do not fit, for numbers that are not finite and for fewer subjects than folds.
/// states (width, subjects), targets (dimensions, attributes)
template <class Scalar, int R>
superposition_report superposition(const matrix<Scalar>& states, const matrix<Scalar>& targets,
                                   const fact_table<R>& facts, const superposition_options& options = {}) {
  require(states.cols() == facts.subjects(), "states of ", states.cols(), " subjects do not fit facts about ",
          facts.subjects());
  require(targets.cols() == facts.attributes(), "vectors of ", targets.cols(), " attributes do not fit facts with ",
          facts.attributes());
  require(options.shuffles >= 1, "a superposition needs at least one shuffle as a control");
  require(0 < options.energy && options.energy <= 1, "the share of the variance must be in (0, 1], not ",
          options.energy);
  require_finite(states, "states");
  require_finite(targets, "vectors of attributes");
  const index_t k = targets.rows();
  const auto relations = static_cast<std::size_t>(facts.relations());
  superposition_report report;
  const matrix<Scalar> answers = stacked_answers(targets, facts);
  report.shares.resize(relations);
  report.r2 = detail::held_out_superposition(states_of(states), answers, k, options, &report.shares);
  std::vector<double> controls;
  for (int i = 0; i < options.shuffles; ++i) {
    const auto other = shuffled_facts(facts, options.seed + static_cast<std::uint64_t>(i));
    controls.push_back(detail::held_out_superposition(states_of(states), stacked_answers(targets, other), k, options));
  }
  report.shuffled = spread(controls);
  report.random =
      detail::held_out_superposition(random_states<Scalar>(states.rows(), options.seed), answers, k, options);

  const auto fitted = fit_superposition(states, targets, facts, options.lambdas, options.threads);
  report.lambda = fitted.fit.lambda;
  std::vector<matrix<Scalar>> bases;
  for (int r = 0; r < facts.relations(); ++r) {
    bases.push_back(detail::principal_directions(fitted.written(r, answers), options.energy));
    report.dimensions.push_back(static_cast<int>(bases.back().cols()));
  }
  for (const auto& a : bases) {
    report.angles.emplace_back();
    for (const auto& b : bases) report.angles.back().push_back(detail::angle_between(a, b));
  }
  if (static_cast<double>(k) * static_cast<double>(relations) > 0.8 * static_cast<double>(states.cols()))
    report.warnings.push_back("ridge is starved: " + std::to_string(relations) + " relations x " + std::to_string(k) +
                              " dimensions exceed 0.8 x " + std::to_string(states.cols()) + " subjects");
  return report;
}

/// The superposition of a model's subjects: e_s from the rows of the unembedding.
template <class Model, int R>
superposition_report superposition(const Model& model, const fact_table<R>& facts,
                                   const superposition_options& options = {}) {
  using Scalar = typename Model::Scalar;
  return superposition<Scalar>(matrix<Scalar>(model.entity()), matrix<Scalar>(model.unembedding().transpose()), facts,
                               options);
}

}  // namespace geofact::probe
