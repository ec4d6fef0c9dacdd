#pragma once
#include <algorithm>

#include "geofact/fact/graph.hpp"
#include "geofact/training/free_running.hpp"
#include "geofact/training/threshold.hpp"
#include "geofact/training/trainer.hpp"
#include "geofact/training/trial_log.hpp"

namespace geofact {

namespace detail {
inline trial trial_of(const threshold_problem& problem, int width, int hidden, int seed) {
  return {.variant = std::string(name_of(problem.which)),
          .mode = std::string(name_of(problem.asked.how)),
          .hops = problem.asked.hops,
          .entities = problem.entities,
          .relations = problem.relations,
          .width = width,
          .hidden = hidden,
          .seed = seed};
}
}  // namespace detail

/// The trial of one width and seed.
template <class Scalar = float>
trial run_trial(const threshold_problem& problem, const threshold_rule& rule, int width, int seed, int threads) {
  recipe r = rule.settings.as(problem.which);
  r.width = width;
  r.hidden = to_extent(checked_product(rule.hidden_per_width, width));
  r.seed = static_cast<std::uint64_t>(seed);
  r.stop_at = rule.target;
  r.threads = threads;
  trial t = detail::trial_of(problem, width, r.hidden, seed);
  const auto facts = random_bijections(problem.entities, {.relations = problem.relations, .seed = r.seed});
  // The errors of k thoughts add up at most: steps that are wrong so seldom give chains that reach the target.
  if (problem.asked.is_chain()) r.stop_at = 1 - (1 - rule.target) / problem.asked.hops;
  threshold_rule step_rule = rule;
  step_rule.target = r.stop_at;
  const auto run = train<Scalar>(facts, r, {.asked = problem.asked, .give_up = [&](const auto& history) {
                                              return is_hopeless(history, step_rule);
                                            }});
  t.recall = problem.asked.is_chain() ? free_running_recall(run.model, facts, problem.asked) : run.recall();
  t.steps = run.history.back().step;
  t.passed = t.recall >= rule.target;
  t.given_up = t.steps < r.steps && t.passed == 0;
  t.seconds = run.seconds;
  return t;
}

/// The least width that passes, by widening from usual_threshold() until one does and then halving the interval. Trials
/// that are in the log are not run again; `on_trial` sees the new ones. Passing is random near the threshold, so this
/// is a width at which all seeds pass while some fail at the next one tried below.
template <class OnTrial>
threshold find_threshold(const threshold_problem& problem, const threshold_rule& rule, trial_log& log, int threads,
                         const OnTrial& on_trial) {
  require(!rule.seeds.empty(), "a search needs at least one seed");
  require(rule.target > 0 && rule.target <= 1, "the recall to reach must be in (0, 1], not ", rule.target);
  require(rule.hidden_per_width >= 1 && rule.widest >= 1, "a search needs widths and hidden units");
  const auto passes = [&](int width) {
    return std::all_of(rule.seeds.begin(), rule.seeds.end(), [&](int seed) {
      if (const auto known = log.find(detail::trial_of(problem, width, 0, seed))) return known->passed == 1;
      const trial t = run_trial(problem, rule, width, seed, threads);
      log.add(t);
      on_trial(t);
      return t.passed == 1;
    });
  };
  threshold found{problem};
  int width = std::clamp(usual_threshold(problem), 1, rule.widest);
  while (true) {
    if (passes(width)) {
      found.passes = width;
      if (found.fails > 0 || width == 1) break;
      width = (std::max)(1, width * 3 / 4);
    } else {
      found.fails = width;
      if (found.passes > 0 || width == rule.widest) break;
      width = (std::min)(rule.widest, width + (width + 2) / 3);
    }
  }
  while (found.passes > 0 && found.passes - found.fails > (std::max)(1.0, rule.resolution * found.passes)) {
    const int middle = found.fails + (found.passes - found.fails) / 2;
    (passes(middle) ? found.passes : found.fails) = middle;
  }
  return found;
}

}  // namespace geofact
