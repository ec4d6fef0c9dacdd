#pragma once
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "geofact/fact/fact_table.hpp"
#include "geofact/fact/path.hpp"
#include "geofact/model/questions.hpp"

namespace geofact {

/// How k hops are asked of a model. A question is an entity x_0 and relations r_1 .. r_k; the answer x_k.
enum class mode {
  direct,      ///< at once: x_0, r_1 .. r_k
  cot,         ///< chain of thought with learned attention: step i reads r_1 .. r_k, x_0 .. x_i and writes x_{i+1}
  cot_latest,  ///< a chain of thought that sees only the newest entity and its relation: x_i, r_{i+1}
  cot_uniform  ///< a chain of thought that sums its whole context: r_1 .. r_k, x_0 .. x_i
};

inline constexpr std::array<std::string_view, 4> mode_names = {"direct", "cot", "cot-latest", "cot-uniform"};
constexpr std::string_view name_of(mode how) { return mode_names[static_cast<std::size_t>(how)]; }

/// Questions of k hops in one mode. Where the order of the tokens is not seen (direct, cot_uniform) each hop has
/// relation tokens of its own: hop i asks relation r as token i R + r.
struct task {
  mode how = mode::direct;
  int hops = 1;

  bool is_chain() const { return how != mode::direct; }
  /// Answers the model writes to one question.
  int thoughts() const { return is_chain() ? hops : 1; }
  int relation_tokens(int relations) const {
    const bool own = how == mode::direct || how == mode::cot_uniform;
    return own ? to_extent(checked_product(hops, relations)) : relations;
  }
  int positions() const { return how == mode::cot ? 2 * hops : 0; }

  /// What a model of `entities` entities reads when it has thought x_0 .. x_i so far: `entity_tokens`, i + 1 of them.
  std::vector<int> tokens(int entities, int relations, std::span<const int> path,
                          std::span<const int> entity_tokens) const {
    if (how == mode::cot_latest) return {entity_tokens.back(), entities + path[entity_tokens.size() - 1]};
    std::vector<int> all;
    if (how == mode::direct) all.assign(entity_tokens.begin(), entity_tokens.end());
    const bool own = how != mode::cot;
    for (std::size_t hop = 0; hop < path.size(); ++hop)
      all.push_back(entities + (own ? static_cast<int>(hop) * relations : 0) + path[hop]);
    if (is_chain()) all.insert(all.end(), entity_tokens.begin(), entity_tokens.end());
    return all;
  }
};

namespace detail {
inline std::vector<int> steps_of(const path_set<>& paths, int w) {
  std::vector<int> path;
  for (int hop = 0; hop < paths.hops; ++hop) path.push_back(paths.step(w, hop));
  return path;
}
}  // namespace detail

/// Everything the facts can be asked in this task, with the right thoughts so far; one set of questions for each number
/// of thoughts. Ordered by subject, then by path.
template <int R>
std::vector<questions> all_questions(const fact_table<R>& facts, const task& asked = {}) {
  require(asked.hops >= 1, "a question has at least one hop, not ", asked.hops);
  require((asked.hops == 1 && !asked.is_chain()) || facts.shared(), asked.hops,
          " hops need answers that are subjects: the attributes must be shared");
  // All paths pose the same single hops to a model that sees only one of them.
  const task posed = asked.how == mode::cot_latest ? task{asked.how, 1} : asked;
  const path_set<> paths{facts.relations(), posed.hops};
  std::vector<questions> sets(static_cast<std::size_t>(posed.thoughts()));
  for (int s = 0; s < facts.subjects(); ++s)
    for (int w = 0; w < paths.size(); ++w) {
      const auto path = detail::steps_of(paths, w);
      std::vector<int> entities = {s};
      for (std::size_t i = 0; i < sets.size() && entities.back() != unknown; ++i) {
        const int next = posed.is_chain() ? facts(entities.back(), path[i]) : follow(facts, s, paths, w);
        const auto tokens = posed.tokens(facts.subjects(), facts.relations(), path, entities);
        sets[i].length = static_cast<int>(tokens.size());
        if (next != unknown) sets[i].add(tokens, next);
        entities.push_back(next);
      }
    }
  return sets;
}

}  // namespace geofact
