#pragma once
#include <span>
#include <utility>
#include <vector>

#include "geofact/model/forward.hpp"
#include "geofact/model/head.hpp"

namespace geofact {

namespace detail {
inline void require_among(const std::vector<int>& subjects, int entities) {
  for (int s : subjects)
    require(0 <= s && s < entities, "subject ", s, " is not among the ", entities, " entities of the model");
}

inline void require_among(std::span<const int> path, int relations) {
  for (int r : path)
    require(0 <= r && r < relations, "relation ", r, " is not among the ", relations, " relations of the model");
}
}  // namespace detail

/// The output for the relations `path`, first hop first, asked about each subject, all hops at once: one relation token
/// a hop.                                                             // -> (output, subjects)
template <class Model>
matrix<typename Model::Scalar> output_direct(const Model& model, const std::vector<int>& subjects,
                                             std::span<const int> path) {
  const int hops = static_cast<int>(path.size());
  require(hops >= 1 && model.relations() % hops == 0, "a model of ", model.relations(),
          " relation tokens cannot answer ", hops, " hops at once");
  const int relations = model.relations() / hops;
  detail::require_among(subjects, model.entities());
  detail::require_among(path, relations);
  context<Model> sequence(model, std::ssize(subjects));
  sequence.append(subjects);
  for (int hop = 0; hop < hops; ++hop) {
    const int token = model.entities() + hop * relations + path[static_cast<std::size_t>(hop)];
    sequence.append(std::vector<int>(subjects.size(), token));
  }
  return mlp(model, sequence.stream());
}

/// Asks the relations `path` about each subject at once. `range` limits the attributes that may answer.
template <class Model>
std::vector<answer> ask_direct(const Model& model, const std::vector<int>& subjects, std::span<const int> path,
                               attribute_range range) {
  return decode(model, output_direct(model, subjects, path), range);
}

/// The prompt of a chain of thought: the relations of `path`, the same in `count` sequences. A path shorter than the
/// model's k is filled up with its last relation, which is not reached.
template <class Model>
context<Model> begin_chain(const Model& model, index_t count, std::span<const int> path) {
  const std::size_t hops = path.size(), k = static_cast<std::size_t>(model.positions() / 2);
  require(1 <= hops && hops <= k, "a chain of thought over ", k, " hops cannot answer ", hops);
  detail::require_among(path, model.relations());
  context<Model> sequence(model, count);
  for (std::size_t hop = 0; hop < k; ++hop)
    sequence.append(
        std::vector<int>(static_cast<std::size_t>(count), model.entities() + path[(std::min)(hop, hops - 1)]));
  return sequence;
}

/// The same question by a chain of thought, decoded greedily: the relations, the subject, then the model's own answers
/// x_1 .. x_k, each fed back. thoughts[i][q] is x_{i+1} of question q; after an answer that is unknown or no entity all
/// later ones are unknown.
template <class Model>
std::vector<std::vector<answer>> ask_chain(const Model& model, const std::vector<int>& subjects,
                                           std::span<const int> path) {
  detail::require_among(subjects, model.entities());
  auto sequence = begin_chain(model, std::ssize(subjects), path);
  const auto asks_on = [&](const answer& a) { return a.attribute != unknown && a.attribute < model.entities(); };
  std::vector<std::vector<answer>> thoughts;
  std::vector<int> newest = subjects;
  for (std::size_t hop = 0; hop < path.size(); ++hop) {
    sequence.append(newest);
    auto step = decode(model, mlp(model, sequence.stream()));
    for (std::size_t q = 0; q < step.size(); ++q) {
      if (hop > 0 && !asks_on(thoughts.back()[q])) step[q] = {};
      if (asks_on(step[q])) newest[q] = step[q].attribute;
    }
    thoughts.push_back(std::move(step));
  }
  return thoughts;
}

}  // namespace geofact
