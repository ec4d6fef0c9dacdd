#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "geofact/training/history.hpp"
#include "geofact/training/recipe.hpp"
#include "geofact/training/task.hpp"

namespace geofact {

/// How the least width is searched that learns the facts.
struct threshold_rule {
  recipe settings;                  ///< of every run; its width, hidden units, variant and seed are the trial's
  int hidden_per_width = 4;         ///< m / d
  double target = 0.99;             ///< the recall that passes; of a chain of thought when it reads its own thoughts
  std::vector<int> seeds = {1, 2};  ///< each draws a graph and the initial weights; a width passes where all of them do
  double resolution = 0;   ///< the search ends at widths this close to each other, as a share; 0: at neighbours
  double patience = 0.25;  ///< share of the steps after which runs that will not get there are given up; 1: never
  int widest = 4096;
};

/// What is searched for: the least width for random bijections of this size.
struct threshold_problem {
  int entities = 0, relations = 0;
  variant which = variant::eu;
  task asked = {};
};

/// What was found.
struct threshold {
  threshold_problem problem;
  int passes = 0;  ///< the least width at which all seeds passed; 0: none up to rule.widest
  int fails = 0;   ///< the greatest width below it at which a seed failed; 0: none was tried
};

/// Whether a run will not reach `target`, if from here on it gains no more than twice as fast as of late. (Learning
/// slows down; only the falling learning rate hastens it at the end.)
inline bool is_hopeless(const std::vector<training_step>& history, const threshold_rule& rule) {
  const int steps = rule.settings.steps, step = history.back().step, window = (std::max)(1, steps / 8);
  if (step < rule.patience * steps || step < window || step % 10 != 0) return false;
  const double before = history[history.size() - 1 - static_cast<std::size_t>(window)].recall;
  const double gain = (std::max)(0.0, history.back().recall - before) / window;
  return history.back().recall + 2 * gain * (steps - step) < rule.target;
}

/// About where the threshold lies: fits of what was measured (docs/guide/training.md), as a place to begin a search.
inline int usual_threshold(const threshold_problem& problem) {
  const double n = problem.entities, bits = std::log2((std::max)(n, 2.0));
  const int hops = problem.asked.how == mode::direct ? problem.asked.hops : 1;
  const double relations = std::pow(problem.relations, hops);
  const double width = problem.which == variant::eu   ? 0.184 * relations * bits + 0.6
                       : problem.which == variant::fu ? 0.55 * relations * bits + 1
                       : problem.which == variant::fe ? 0.4 * relations * bits + 1
                                                      : 0.6 * std::pow(relations, 0.45) * std::pow(n, 0.56);
  return static_cast<int>((std::min)(width, 1e6)) + 1;
}

}  // namespace geofact
