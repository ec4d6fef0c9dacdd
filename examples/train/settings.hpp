#pragma once
#include <map>
#include <string>
#include <vector>

#include "geofact/fact/knowledge.hpp"
#include "geofact/model/shape.hpp"
#include "geofact/training/history.hpp"
#include "geofact/training/recipe.hpp"
#include "geofact/training/task.hpp"

/// What the program is asked to do.
struct settings {
  geofact::recipe recipe;
  geofact::task asked;
  std::string save, resume;
  double save_every = 60;
  bool progress = false;
};

/// What it found.
struct result {
  std::vector<geofact::training_step> history;
  geofact::sizes<> sizes;
  geofact::index_t parameters = 0, questions = 0;
  double recall = 0, free_running = 0, loss = 0, seconds = 0, gflops = 0;
  std::map<double, int> steps_to;  ///< share of the questions: first step that recalls it, or -1
};

/// Trains.
result run(const settings& wanted, const geofact::fact_table<>& facts);

/// Changes one setting of a recipe, "learning_rate=0.01"; throws, with the names there are, for one that is not.
void change(geofact::recipe& r, const std::string& setting);
