#pragma once
#include <span>
#include <utility>
#include <vector>

#include "geofact/model/forward.hpp"
#include "geofact/model/head.hpp"

namespace geofact {

/// Asks the relations `path`, first hop first, about each subject, all hops at once: one relation token a hop.
/// `range` limits the attributes that may answer.
template <class Model>
std::vector<answer> ask_direct(const Model& model, const std::vector<int>& subjects, std::span<const int> path,
                               attribute_range range) {
  const int hops = static_cast<int>(path.size());
  require(hops >= 1 && model.relations() % hops == 0, "a model of ", model.relations(),
          " relation tokens cannot answer ", hops, " hops at once");
  const int relations = model.relations() / hops;
  context<Model> sequence(model, std::ssize(subjects));
  sequence.append(subjects);
  for (int hop = 0; hop < hops; ++hop) {
    const int r = path[static_cast<std::size_t>(hop)];
    require(0 <= r && r < relations, "relation ", r, " is not among the ", relations, " relations of the model");
    sequence.append(std::vector<int>(subjects.size(), model.entities() + hop * relations + r));
  }
  return decode(model, mlp(model, sequence.stream()), range);
}

/// The prompt of a chain of thought: the relations of `path`, the same in `count` sequences. A path shorter than the
/// model's k is filled up with its last relation, which is not reached.
template <class Model>
context<Model> begin_chain(const Model& model, index count, std::span<const int> path) {
  const std::size_t hops = path.size(), k = static_cast<std::size_t>(model.positions() / 2);
  require(1 <= hops && hops <= k, "a chain of thought over ", k, " hops cannot answer ", hops);
  context<Model> sequence(model, count);
  for (std::size_t hop = 0; hop < k; ++hop)
    sequence.append(
        std::vector<int>(static_cast<std::size_t>(count), model.entities() + path[(std::min)(hop, hops - 1)]));
  return sequence;
}

/// The same question by a chain of thought, decoded greedily: the relations, the subject, then the model's own answers
/// x_1 .. x_k, each fed back. thoughts[i][q] is x_{i+1} of question q; after an unknown answer all later ones are
/// unknown.
template <class Model>
std::vector<std::vector<answer>> ask_chain(const Model& model, const std::vector<int>& subjects,
                                           std::span<const int> path) {
  auto sequence = begin_chain(model, std::ssize(subjects), path);
  std::vector<std::vector<answer>> thoughts;
  std::vector<int> newest = subjects;
  for (std::size_t hop = 0; hop < path.size(); ++hop) {
    sequence.append(newest);
    auto step = decode(model, mlp(model, sequence.stream()));
    for (std::size_t q = 0; q < step.size(); ++q) {
      if (hop > 0 && thoughts.back()[q].attribute == unknown) step[q] = {};
      if (step[q].attribute != unknown) newest[q] = step[q].attribute;
    }
    thoughts.push_back(std::move(step));
  }
  return thoughts;
}

}  // namespace geofact
