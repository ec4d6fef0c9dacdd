#pragma once
#include <vector>

#include "../support.hpp"
#include "geofact/foundation/random.hpp"
#include "geofact/model/parameters.hpp"
#include "geofact/model/questions.hpp"

/// Every kind of model that is differentiated, for the gradients of any backend.
namespace scenarios {

using namespace geofact;

struct scenario {
  const char* name;
  sizes<> extents;
  std::vector<int> lengths;
};

/// What the paper has, and each thing that a model may have beside it.
inline const scenario all[] = {
    {"the paper's model",
     {.entities = 10, .relations = 3, .width = 7, .hidden = 12, .layers = 1, .output = 7, .attributes = 11},
     {2}},
    {"three layers and a wide output",
     {.entities = 10, .relations = 3, .width = 7, .hidden = 12, .layers = 3, .output = 9, .attributes = 11},
     {3}},
    {"residual",
     {.entities = 10,
      .relations = 3,
      .width = 7,
      .hidden = 12,
      .layers = 2,
      .output = 5,
      .attributes = 11,
      .residual = 1},
     {2}},
    {"positions",
     {.entities = 10,
      .relations = 3,
      .positions = 4,
      .width = 7,
      .hidden = 12,
      .layers = 2,
      .output = 5,
      .attributes = 11},
     {4, 2}},
    {"learned attention",
     {.entities = 10,
      .relations = 3,
      .positions = 5,
      .width = 7,
      .hidden = 12,
      .layers = 2,
      .output = 5,
      .attributes = 11,
      .heads = 2,
      .key = 3,
      .value = 4},
     {4, 5, 1}},
    {"residual and attention",
     {.entities = 10,
      .relations = 3,
      .width = 7,
      .hidden = 12,
      .layers = 2,
      .output = 5,
      .attributes = 11,
      .heads = 1,
      .key = 3,
      .value = 2,
      .residual = 1},
     {3}},
    {"three layers and a narrow output",
     {.entities = 10, .relations = 3, .width = 7, .hidden = 12, .layers = 3, .output = 6, .attributes = 11},
     {3}},
};

/// Weights of deviation 0.4.
template <class Model>
Model random_model(const sizes<>& n, std::uint64_t seed) {
  Model model(n);
  naive::randomize(model, seed, 0.4);
  return model;
}

/// `count` questions of each of the scenario's lengths.
inline std::vector<questions> random_questions(const scenario& s, int count) {
  std::vector<questions> sets;
  const random_stream random(5);
  std::uint64_t i = 0;
  for (int length : s.lengths) {
    sets.push_back({length, {}, {}});
    for (int q = 0; q < count; ++q) {
      std::vector<int> tokens;
      for (int place = 0; place < length; ++place)
        tokens.push_back(random.below(s.extents.entities + s.extents.relations, i++));
      sets.back().add(tokens, random.below(s.extents.attributes, i++));
    }
  }
  return sets;
}

}  // namespace scenarios
