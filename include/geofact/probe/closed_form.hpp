#pragma once
#include <cmath>
#include <concepts>
#include <string>
#include <utility>
#include <vector>

#include "geofact/probe/jacobian.hpp"
#include "geofact/probe/superposition.hpp"

namespace geofact::probe {

/// Ways to write facts into embeddings without training, the rest of the model as it is (theory/probes.md).
enum class closed_form {
  ridge,               ///< e = sum_r A_r u: how the model itself wrote its facts
  jacobian_transpose,  ///< e = sum_r J_r' u: towards greater logits of each answer
  jacobian_inverse     ///< e = J^+ u with J all J_r below each other: the outputs that are wanted, all at once
};

inline const char* name_of(closed_form how) {
  return how == closed_form::ridge                ? "ridge"
         : how == closed_form::jacobian_transpose ? "Jacobian transpose"
                                                  : "Jacobian inverse";
}

/// e_s = mean_e + M (answers of s - mean_x): embeddings from stacked_answers().
template <class Scalar>
struct embedding_map {
  matrix<Scalar> map;             // M (width, relations x output)
  vector<Scalar> mean_e, mean_x;  // (width), (relations x output)

  /// The embeddings of all subjects.                                            // (width, subjects)
  matrix<Scalar> write(const matrix<Scalar>& answers) const {
    return (map * (answers.colwise() - mean_x)).colwise() + mean_e;
  }
  /// What relation r writes.                                                    // (width, output)
  auto part(int r, int relations) const {
    const index_t k = map.cols() / relations;
    return map.middleCols(r * k, k);
  }
};

/// How a closed form is chosen. Only the facts that the model was trained on are looked at.
struct closed_form_options {
  std::vector<double> lambdas = {1e-4, 1e-3, 1e-2, 3e-2, 1e-1, 3e-1, 1};
  std::vector<double> scales = {0.5, 0.7, 1, 1.4, 2, 2.8};  ///< 1: embeddings as large as the model's own
  int subjects = 512;                                       ///< a sample to judge by; 0: all
  std::uint64_t seed = 1;
  int threads = 0;
};

/// A chosen closed form.
template <class Scalar>
struct chosen_closed_form {
  closed_form how = closed_form::ridge;
  embedding_map<Scalar> embeddings;
  double lambda = 0, scale = 0;
  double recall = 0, margin = 0;  ///< on the facts it was chosen by; see relative_margin()
};

/// How clearly a model recalls the facts about `subjects`: the mean, over the facts, of the distance from the own logit
/// to the greatest other one (or the model's threshold), in standard deviations of all logits. It does not depend on
/// the scale of the logits, and unlike the recall it tells good from better.
template <class Model, int R>
double relative_margin(const Model& model, const fact_table<R>& facts, const std::vector<int>& subjects) {
  using Scalar = typename Model::Scalar;
  double sum = 0;
  index_t count = 0;
  for (int r = 0; r < facts.relations(); ++r) {
    const int path[] = {r};
    const attribute_range range = facts.codomain(r);
    if (range.size() < 2) continue;
    const auto u = model.unembedding().middleRows(range.first, range.size());
    const matrix<Scalar> y = output_direct(model, subjects, std::span<const int>(path));
    for (index_t i = 0; i < y.cols(); ++i) {
      const int a = facts(subjects[static_cast<std::size_t>(i)], r);
      if (a == unknown) continue;
      vector<Scalar> logits = u * y.col(i);
      const Scalar deviation = std::sqrt((logits.array() - logits.mean()).square().mean());
      const Scalar own = logits[a - range.first];
      logits[a - range.first] = std::numeric_limits<Scalar>::lowest();
      if (deviation > 0) sum += static_cast<double>((own - (std::max)(logits.maxCoeff(), model.abstain)) / deviation);
      ++count;
    }
  }
  return count > 0 ? sum / static_cast<double>(count) : 0;
}

/// The closed form whose penalty and scale give the model's own facts back: as many as possible, then as clearly as
/// possible by relative_margin().
template <std::floating_point Scalar, shape S, int R>
chosen_closed_form<Scalar> choose_closed_form(closed_form how, const parameters<Scalar, S>& model,
                                              const fact_table<R>& facts, const closed_form_options& options = {}) {
  require_fit(model, facts);
  const auto subjects = sample(facts.subjects(), 0, options.seed);
  const auto judged = sample(facts.subjects(), options.subjects, options.seed);
  const matrix<Scalar> targets = model.unembedding().transpose().leftCols(facts.attributes());
  const matrix<Scalar> own = model.entity().leftCols(facts.subjects()), answers = stacked_answers(targets, facts);
  const auto map_for = [&](double lambda) -> matrix<Scalar> {
    if (how == closed_form::ridge) return ridge<Scalar>(answers, {lambda}, options.threads)(own).map;
    const auto jacobians = stacked_jacobians(model, subjects);
    if (how == closed_form::jacobian_transpose) return jacobians.transpose();
    return regularised_inverse(jacobians, lambda);
  };
  const auto lambdas = how == closed_form::jacobian_transpose ? std::vector<double>{0} : options.lambdas;
  const vector<Scalar> mean_e = own.rowwise().mean(), mean_x = answers.rowwise().mean();
  const Scalar size = (own.colwise() - mean_e).norm();
  require(size > 0, "all embeddings of the model are the same: they hold no facts");
  chosen_closed_form<Scalar> best;
  best.recall = -1;
  parameters<Scalar, S> trial = model;
  for (double lambda : lambdas) {
    embedding_map<Scalar> embeddings{map_for(lambda), mean_e, mean_x};
    const Scalar written = (embeddings.map * (answers.colwise() - mean_x)).norm();
    require(written > 0 && std::isfinite(written), "the closed form ", name_of(how), " writes nothing");
    embeddings.map *= size / written;
    for (double scale : options.scales) {
      embedding_map<Scalar> scaled = embeddings;
      scaled.map *= static_cast<Scalar>(scale);
      trial.entity().leftCols(facts.subjects()) = scaled.write(answers);
      const std::pair found{recall_of(trial, facts, judged), relative_margin(trial, facts, judged)};
      if (found > std::pair{best.recall, best.margin})
        best = {how, std::move(scaled), lambda, scale, found.first, found.second};
    }
  }
  return best;
}

}  // namespace geofact::probe
