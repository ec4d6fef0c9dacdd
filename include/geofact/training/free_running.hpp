#pragma once
#include <utility>
#include <vector>

#include "geofact/model/forward.hpp"
#include "geofact/model/head.hpp"
#include "geofact/training/task.hpp"

namespace geofact {

/// The share of all questions with an answer that the model answers when it reads its own thoughts: every thought is
/// the attribute of the greatest logit, and a tie answers nothing.
template <class Model, int R>
double free_running_recall(const Model& model, const fact_table<R>& facts, const task& asked) {
  const path_set<> paths{facts.relations(), asked.hops};
  index_t known = 0, recalled = 0;
  for (int w = 0; w < paths.size(); ++w) {
    const auto path = detail::steps_of(paths, w);
    std::vector<std::vector<int>> chains;  // x_0 .. x_i of each question
    for (int s = 0; s < facts.subjects(); ++s)
      if (follow(facts, s, paths, w) != unknown) chains.push_back({s});
    known += std::ssize(chains);
    for (int thought = 0; thought < asked.thoughts() && !chains.empty(); ++thought) {
      std::vector<std::vector<int>> tokens;  // [place][question]
      for (std::size_t q = 0; q < chains.size(); ++q) {
        const auto question = asked.tokens(facts.subjects(), facts.relations(), path, chains[q]);
        tokens.resize(question.size(), std::vector<int>(chains.size()));
        for (std::size_t t = 0; t < question.size(); ++t) tokens[t][q] = question[t];
      }
      const auto answers = decode(model, forward(model, tokens));
      std::size_t kept = 0;  // a chain ends where a thought is no entity
      for (std::size_t q = 0; q < chains.size(); ++q) {
        const bool goes_on = answers[q].margin > 0 && answers[q].attribute != unknown;
        if (!goes_on || (thought + 1 < asked.thoughts() && answers[q].attribute >= facts.subjects())) continue;
        chains[q].push_back(answers[q].attribute);
        if (kept != q) chains[kept] = std::move(chains[q]);
        ++kept;
      }
      chains.resize(kept);
    }
    for (const auto& chain : chains) recalled += chain.back() == follow(facts, chain.front(), paths, w);
  }
  return known > 0 ? static_cast<double>(recalled) / static_cast<double>(known) : 1;
}

}  // namespace geofact
