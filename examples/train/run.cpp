#include "settings.hpp"

#include <cstdio>

#include "geofact/geofact.hpp"

namespace {

/// A bar on the terminal, drawn only for work that takes longer than a second.
std::function<void(const geofact::training_step&)> progress_bar(int steps) {
  return [steps, shown = -1](const geofact::training_step& now) mutable {
    const int percent = 100 * now.step / steps;
    if (now.seconds < 1 || percent == shown) return;
    shown = percent;
    std::fprintf(stderr, "\rstep %6d [%-40.*s] loss %8.5f, recall %7.4f%s", now.step, percent * 40 / 100,
                 "########################################", now.cross_entropy, now.recall,
                 now.step == steps ? "\n" : "");
  };
}

}  // namespace

result run(const settings& wanted, const geofact::fact_table<>& facts) {
  geofact::training_options options{
      .asked = wanted.asked, .save = wanted.save, .save_every = wanted.save_every, .resume = wanted.resume};
  if (wanted.progress) options.on_step = progress_bar(wanted.recipe.steps);
  const auto run = geofact::train<float>(facts, wanted.recipe, options);
  if (wanted.progress && run.seconds > 1) std::fputc('\n', stderr);
  result found;
  found.sizes = run.model.extents();
  found.parameters = run.model.count();
  found.questions = run.questions;
  found.recall = run.recall(), found.loss = run.cross_entropy();
  found.free_running =
      wanted.asked.is_chain() ? geofact::free_running_recall(run.model, facts, wanted.asked) : run.recall();
  found.seconds = run.seconds, found.gflops = run.gflops;
  for (const double share : {0.5, 0.9, 0.99, 1.0}) found.steps_to[share] = run.steps_to(share);
  found.history = run.history;
  return found;
}
