#pragma once
#include <iomanip>
#include <ostream>
#include <sstream>
#include <vector>

#include "geofact/probe/closed_form.hpp"
#include "geofact/training/trainer.hpp"

namespace geofact::probe {

/// How to give a model new facts with everything but E frozen.
struct freeze_and_swap_options {
  closed_form_options choice{};
  int steps = 200;  ///< of retraining E at most; 0: no retraining
  double learning_rate = 1e-2;
  std::uint64_t seed = 1;
  int threads = 0;
};

/// What one way to write the new facts reached.
struct swap_figures {
  closed_form how = closed_form::ridge;
  double lambda = 0, scale = 0;
  double original = 0;            ///< recall of the model's own facts, written again in the same way
  std::vector<double> relations;  ///< recall of the new facts, by relation
  double recall() const {
    return std::accumulate(relations.begin(), relations.end(), 0.0) / static_cast<double>(relations.size());
  }
};

/// What became of new facts.
struct freeze_and_swap_report {
  std::vector<swap_figures> closed_forms;
  double before = 0;                        ///< the control: recall of the new facts with the old embeddings
  double own = 0;                           ///< recall of the old facts with the old embeddings
  double reconstruction = 0, shuffled = 0;  ///< held-out R^2 of the superposition, and for shuffled facts
  int retraining_steps = -1;                ///< of E alone until all new facts are recalled; -1: not reached
  double retrained = 0;                     ///< recall when retraining ended

  const swap_figures& best() const {
    return *std::max_element(closed_forms.begin(), closed_forms.end(),
                             [](const auto& a, const auto& b) { return a.recall() < b.recall(); });
  }
};

inline std::ostream& operator<<(std::ostream& out, const freeze_and_swap_report& report) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(3)
       << "new facts            | lambda | scale | own facts | new facts | by relation\n"
       << "old embeddings       |      - |     - |     " << report.own << " |     " << report.before << " |\n";
  for (const auto& one : report.closed_forms) {
    text << std::left << std::setw(20) << name_of(one.how) << std::right << " | " << std::setw(6)
         << std::setprecision(4) << one.lambda << std::setprecision(2) << " | " << std::setw(5) << one.scale
         << std::setprecision(3) << " |     " << one.original << " |     " << one.recall() << " |";
    for (double recall : one.relations) text << ' ' << recall;
    text << '\n';
  }
  if (report.retraining_steps >= 0)
    text << "retraining E alone recalls all of them after " << report.retraining_steps << " steps\n";
  else
    text << "retraining E alone recalls " << report.retrained << " of them\n";
  text << "superposition of the old embeddings: held-out R^2 " << report.reconstruction << ", shuffled "
       << report.shuffled << '\n';
  return out << text.str();
}

namespace detail {

/// Trains the entity table alone until all facts are recalled: the number of steps, or -1, and the last recall.
template <class Model, int R>
std::pair<int, double> retrain_entities(Model model, const fact_table<R>& facts,
                                        const freeze_and_swap_options& options) {
  recipe r;
  for (table_rule* rule : {&r.relation, &r.position, &r.attention, &r.mlp, &r.unembedding}) rule->frozen = true;
  r.threads = options.threads;
  cpu_backend<Model> learner(learner_state<Model>(std::move(model)), all_questions(facts), options.threads);
  double recall = 0;
  for (int step = 0; step <= options.steps; ++step) {
    recall = learner.gradient({}, 0, random_stream(0)).recall;
    if (recall == 1) return {step, recall};
    learner.update(r, options.learning_rate);
  }
  return {-1, recall};
}

}  // namespace detail

/// Writes `fresh` facts into the embeddings alone, MLP, relations and unembedding frozen, by every closed form, and
/// retrains E from the best of them. Penalties and scales are chosen by the model's own facts: the fresh ones are only
/// judged. A high recall does not prove that E held the old facts: read it together with the reconstruction R^2.
///
/// Throws where model and facts do not fit.
template <std::floating_point Scalar, shape S, int R>
freeze_and_swap_report freeze_and_swap(const parameters<Scalar, S>& model, const fact_table<R>& facts,
                                       const fact_table<R>& fresh, const freeze_and_swap_options& options = {}) {
  require_fit(model, facts);
  require_fit(model, fresh);
  require(facts.subjects() == fresh.subjects() && facts.attributes() == fresh.attributes(), "the new facts about ",
          fresh.subjects(), " subjects and ", fresh.attributes(), " attributes do not fit the old ones about ",
          facts.subjects(), " and ", facts.attributes());
  const matrix<Scalar> targets = model.unembedding().transpose().leftCols(facts.attributes());
  const auto all = sample(facts.subjects(), 0, options.seed);
  freeze_and_swap_report report;
  report.before = recall_of(model, fresh, all);
  report.own = recall_of(model, facts, all);
  const auto with = [&](const embedding_map<Scalar>& embeddings, const fact_table<R>& written) {
    auto other = model;
    other.entity().leftCols(facts.subjects()) = embeddings.write(stacked_answers(targets, written));
    return other;
  };
  double best = -1;
  auto start = model;
  for (const auto how : {closed_form::ridge, closed_form::jacobian_transpose, closed_form::jacobian_inverse}) {
    auto choice = options.choice;
    choice.threads = options.threads;
    const auto chosen = choose_closed_form(how, model, facts, choice);
    const auto swapped = with(chosen.embeddings, fresh);
    swap_figures figures{how, chosen.lambda, chosen.scale, recall_of(with(chosen.embeddings, facts), facts, all), {}};
    for (int r = 0; r < fresh.relations(); ++r) figures.relations.push_back(recall_of(swapped, fresh, all, r));
    if (figures.recall() > best) best = figures.recall(), start = swapped;
    report.closed_forms.push_back(std::move(figures));
  }
  const auto fit = superposition<Scalar>(matrix<Scalar>(model.entity().leftCols(facts.subjects())), targets, facts,
                                         {.threads = options.threads});
  report.reconstruction = fit.r2, report.shuffled = fit.shuffled.mean;
  if (options.steps > 0)
    std::tie(report.retraining_steps, report.retrained) = detail::retrain_entities(start, fresh, options);
  return report;
}

}  // namespace geofact::probe
