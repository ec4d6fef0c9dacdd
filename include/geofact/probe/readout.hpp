#pragma once
#include <algorithm>
#include <iomanip>
#include <map>
#include <ostream>
#include <sstream>
#include <utility>

#include "geofact/probe/folds.hpp"
#include "geofact/probe/nearest.hpp"
#include "geofact/probe/ridge.hpp"

namespace geofact::probe {

/// How to read facts off states.
struct readout_options {
  int folds = 5;     ///< every subject is held out once
  int top = 5;       ///< for the share of answers among the nearest `top`
  int shuffles = 3;  ///< repetitions of the control with shuffled facts
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: one per core
  std::vector<double> lambdas = usual_lambdas();
};

/// Figures over held-out subjects.
struct readout_figures {
  double recall = 0;     ///< share whose answer is the nearest by cosine, on centred vectors
  double top = 0;        ///< share whose answer is among the nearest few
  double euclidean = 0;  ///< share whose answer is the nearest by distance
  double r2 = 0;         ///< of the predicted answer vectors
};

/// What a readout of one relation found, and its controls.
struct relation_readout {
  int relation = 0, subjects = 0, answers = 0;
  readout_figures real{};
  readout_figures random{};          ///< random states of the same size
  spread shuffled{}, shuffled_r2{};  ///< recall and R^2 with the facts of the relation dealt out anew
  double majority = 0;               ///< recall of the most frequent answer
  double lambda = 0;                 ///< median over the folds

  /// Recall beyond that of shuffled facts.
  double selectivity() const { return real.recall - shuffled.mean; }
  /// The greatest of the controls: shuffled facts, random states, the most frequent answer.
  double control() const { return (std::max)({shuffled.mean, random.recall, majority}); }
  /// Recall beyond the greatest control.
  double excess() const { return real.recall - control(); }
};

/// What was found under all relations.
struct readout_report {
  std::vector<relation_readout> relations;  ///< those that could be measured
  std::vector<std::string> warnings;
  int top = 0;

  /// Mean over the relations.
  template <class Figure>
  double mean(const Figure& figure) const {
    double sum = 0;
    for (const auto& one : relations) sum += figure(one) / static_cast<double>(relations.size());
    return sum;
  }
  double recall() const {
    return mean([](const auto& r) { return r.real.recall; });
  }
  double selectivity() const {
    return mean([](const auto& r) { return r.selectivity(); });
  }
};

inline std::ostream& operator<<(std::ostream& out, const readout_report& report) {
  const auto flags = out.flags();
  const auto precision = out.precision();
  out << std::fixed << std::setprecision(3) << "relation | subjects | answers | recall | top " << std::setw(2)
      << report.top << " | euclid |    R^2 | shuffled        | random | majority | selectivity\n";
  for (const auto& r : report.relations)
    out << std::setw(8) << r.relation << " | " << std::setw(8) << r.subjects << " | " << std::setw(7) << r.answers
        << " |  " << r.real.recall << " |  " << r.real.top << " |  " << r.real.euclidean << " | " << std::setw(6)
        << r.real.r2 << " | " << r.shuffled.mean << " +- " << std::setw(5) << r.shuffled.deviation << "  |  "
        << r.random.recall << " |    " << r.majority << " |      " << std::setw(6) << r.selectivity() << '\n';
  for (const auto& warning : report.warnings) out << "warning: " << warning << '\n';
  out.flags(flags), out.precision(precision);
  return out;
}

namespace detail {

/// One relation, or a shuffle of it: the answers of its subjects as places among its candidates.
struct readout_task {
  std::vector<int> truth;
  std::vector<double> lambdas{};
  readout_figures sum{};
  double errors = 0, total = 0;
};

/// Fits on one fold and adds what it predicts of the other.
template <class Scalar>
void add_fold(const ridge<Scalar>& solver, const fold& part, const matrix<Scalar>& held_out,
              const matrix<Scalar>& candidates, int top, readout_task& task) {
  const auto at = [&](const std::vector<int>& places) {
    return matrix<Scalar>(candidates(Eigen::all, pick(task.truth, places)));
  };
  const auto fit = solver(at(part.fitted));
  const matrix<Scalar> predicted = fit.centred(held_out);
  const matrix<Scalar> wanted = at(part.held_out).colwise() - fit.mean_y;
  for (const ranks& one :
       rank_nearest<Scalar>(predicted, candidates.colwise() - fit.mean_y, pick(task.truth, part.held_out))) {
    task.sum.recall += one.cosine == 0;
    task.sum.top += one.cosine < top;
    task.sum.euclidean += one.euclidean == 0;
  }
  task.errors += static_cast<double>((predicted - wanted).squaredNorm());
  task.total += static_cast<double>(wanted.squaredNorm());
  task.lambdas.push_back(fit.lambda);
}

/// Counts as shares.
inline readout_figures finish(const readout_task& task) {
  const auto n = static_cast<double>(task.truth.size());
  return {task.sum.recall / n, task.sum.top / n, task.sum.euclidean / n,
          task.total > 0 ? 1 - task.errors / task.total : 0};
}

/// The distinct answers of a relation in ascending order.
inline std::vector<int> distinct(std::vector<int> answers) {
  std::sort(answers.begin(), answers.end());
  answers.erase(std::unique(answers.begin(), answers.end()), answers.end());
  return answers;
}

/// All relations that know the same subjects, and their controls, with one decomposition a fold.
template <class Scalar, int R>
std::vector<relation_readout> read_group(const matrix<Scalar>& states, const matrix<Scalar>& targets,
                                         const fact_table<R>& facts, const std::vector<int>& subjects,
                                         const std::vector<int>& relations, const readout_options& options) {
  std::vector<relation_readout> found;
  std::vector<matrix<Scalar>> candidates;         // of each relation (dimensions, answers)
  std::vector<readout_task> tasks, random_tasks;  // [relation][real, shuffles]; [relation]
  const auto repetitions = static_cast<std::size_t>(options.shuffles) + 1;
  for (int r : relations) {
    std::vector<int> answers;
    for (int s : subjects) answers.push_back(facts(s, r));
    const auto names = distinct(answers);
    for (int& a : answers) a = static_cast<int>(std::lower_bound(names.begin(), names.end(), a) - names.begin());
    index_t most = 0;
    for (int a = 0; a < std::ssize(names); ++a)
      most = (std::max)(most, static_cast<index_t>(std::count(answers.begin(), answers.end(), a)));
    found.push_back(
        {.relation = r, .subjects = static_cast<int>(subjects.size()), .answers = static_cast<int>(names.size())});
    found.back().majority = static_cast<double>(most) / static_cast<double>(subjects.size());
    candidates.emplace_back(targets(Eigen::all, names));
    random_tasks.push_back({.truth = answers});
    tasks.push_back({.truth = answers});
    for (int i = 0; i < options.shuffles; ++i)
      tasks.push_back({.truth = shuffled(answers, random_stream(options.seed + static_cast<std::uint64_t>(i),
                                                                static_cast<std::uint64_t>(r)))});
  }
  const auto cross_validate = [&](const auto& some_states, std::vector<readout_task>& all) {
    for (const fold& part : split(static_cast<int>(subjects.size()), options.folds, options.seed)) {
      const ridge<Scalar> solver(some_states(pick(subjects, part.fitted)), options.lambdas, options.threads);
      const matrix<Scalar> held_out = some_states(pick(subjects, part.held_out));
      const std::size_t each = all.size() / relations.size();
      parallel_for(std::ssize(all), thread_count(options.threads), [&](index_t i) {
        const auto t = static_cast<std::size_t>(i);
        add_fold(solver, part, held_out, candidates[t / each], options.top, all[t]);
      });
    }
  };
  cross_validate(states_of(states), tasks);
  cross_validate(random_states<Scalar>(states.rows(), options.seed), random_tasks);
  for (std::size_t i = 0; i < relations.size(); ++i) {
    std::vector<double> recalls, r2s;
    for (std::size_t k = 1; k < repetitions; ++k) {
      const auto control = finish(tasks[i * repetitions + k]);
      recalls.push_back(control.recall), r2s.push_back(control.r2);
    }
    auto& lambdas = tasks[i * repetitions].lambdas;
    std::nth_element(lambdas.begin(), lambdas.begin() + std::ssize(lambdas) / 2, lambdas.end());
    found[i].lambda = lambdas[lambdas.size() / 2];
    found[i].real = finish(tasks[i * repetitions]);
    found[i].random = finish(random_tasks[i]);
    found[i].shuffled = spread(recalls), found[i].shuffled_r2 = spread(r2s);
  }
  return found;
}

}  // namespace detail

/// Reads every relation off the states by a ridge map to the vectors of its answers, judged on held-out subjects by the
/// nearest vector among the relation's answers. The penalty of each map is chosen among the fitted subjects by exact
/// leave-one-out. Beside each figure stand its controls: shuffled facts, random states, the most frequent answer.
///
/// Throws where the sizes do not fit, for numbers that are not finite, and where no relation can be measured; relations
/// with one answer alone or fewer subjects than folds are left out with a warning.
/// states (width, subjects), targets (dimensions, attributes): one vector for each attribute
template <class Scalar, int R>
readout_report readout(const matrix<Scalar>& states, const matrix<Scalar>& targets, const fact_table<R>& facts,
                       const readout_options& options = {}) {
  require(states.cols() == facts.subjects(), "states of ", states.cols(), " subjects do not fit facts about ",
          facts.subjects());
  require(targets.cols() == facts.attributes(), "vectors of ", targets.cols(), " attributes do not fit facts with ",
          facts.attributes());
  require(options.shuffles >= 1, "a readout needs at least one shuffle as a control");
  require_finite(states, "states");
  require_finite(targets, "vectors of attributes");
  readout_report report;
  report.top = options.top;
  const auto warn = [&](const auto&... parts) {
    std::ostringstream sentence;
    (sentence << ... << parts);
    report.warnings.push_back(sentence.str());
  };
  if (const auto constant = (states.rowwise().maxCoeff().array() == states.rowwise().minCoeff().array()).count();
      constant > 0)
    warn(constant, " of ", states.rows(), " coordinates of the states are constant");
  if (0.8 * static_cast<double>(states.cols()) < static_cast<double>(facts.relations() * states.rows()))
    warn("ridge is starved: ", facts.relations(), " relations x ", states.rows(), " coordinates exceed 0.8 x ",
         states.cols(), " subjects");
  std::map<std::vector<int>, std::vector<int>> groups;  // relations by the subjects that they know
  for (int r = 0; r < facts.relations(); ++r) {
    auto subjects = known_subjects(facts, r);
    std::vector<int> answers;
    for (int s : subjects) answers.push_back(facts(s, r));
    const auto count = detail::distinct(answers).size();
    if (std::ssize(subjects) <= options.folds)
      warn("relation ", r, " left out: ", options.folds, " folds need more than its ", subjects.size(), " subjects");
    else if (count == 1)
      warn("relation ", r, " left out: all its subjects have the same answer");
    else
      groups[std::move(subjects)].push_back(r);
  }
  require(!groups.empty(), "no relation can be read out: ", report.warnings.back());
  for (const auto& [subjects, relations] : groups)
    for (const auto& one : detail::read_group(states, targets, facts, subjects, relations, options))
      report.relations.push_back(one);
  std::sort(report.relations.begin(), report.relations.end(),
            [](const auto& a, const auto& b) { return a.relation < b.relation; });
  return report;
}

/// The readout of a model's subjects: from e_s to the rows of the unembedding.
template <class Model, int R>
readout_report readout(const Model& model, const fact_table<R>& facts, const readout_options& options = {}) {
  using Scalar = typename Model::Scalar;
  return readout<Scalar>(matrix<Scalar>(model.entity()), matrix<Scalar>(model.unembedding().transpose()), facts,
                         options);
}

}  // namespace geofact::probe
