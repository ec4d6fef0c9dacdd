#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "geofact/model/shape.hpp"

namespace geofact {

/// Questions of `length` tokens each, and the attribute that answers each. Entity s is token s, relation token t is
/// token entities + t.
struct questions {
  int length = 0;
  std::vector<int> tokens;   ///< [question][place]
  std::vector<int> targets;  ///< [question]

  index_t size() const { return std::ssize(targets); }
  int token(index_t q, int place) const { return tokens[static_cast<std::size_t>(q * length + place)]; }

  /// All tokens of a question.                                       // (length)
  std::span<const int> operator[](index_t q) const {
    return std::span(tokens).subspan(static_cast<std::size_t>(q * length), static_cast<std::size_t>(length));
  }

  /// Appends a question.
  void add(std::span<const int> question, int target) {
    require(std::ssize(question) == length, "a question of ", question.size(),
            " tokens does not fit among questions of ", length);
    tokens.insert(tokens.end(), question.begin(), question.end());
    targets.push_back(target);
  }
};

/// How many questions there are in all sets.
inline index_t total(const std::vector<questions>& sets) {
  index_t count = 0;
  for (const auto& set : sets) count += set.size();
  return count;
}

/// Throws where a model of these sizes cannot be asked some of the questions, or there are none.
template <shape S>
void require_fit(const sizes<S>& n, const std::vector<questions>& sets) {
  require(total(sets) >= 1, "there are no questions to train on");
  const int known = n.entities + n.relations;
  for (const questions& set : sets) {
    require(set.length >= 1 && std::ssize(set.tokens) == set.size() * set.length, set.tokens.size(), " tokens are not ",
            set.size(), " questions of ", set.length);
    for (int token : set.tokens)
      require(0 <= token && token < known, "token ", token, " is not among the ", known, " tokens of the model");
    for (int a : set.targets)
      require(0 <= a && a < n.attributes, "target ", a, " is not among the ", int{n.attributes},
              " attributes of the model");
    require(n.positions == 0 || set.length <= n.positions, "questions of ", set.length, " tokens do not fit ",
            int{n.positions}, " positions");
  }
}

/// The questions of these numbers, which count through all sets; the order of the sets and of the numbers is kept.
inline std::vector<questions> subset(const std::vector<questions>& sets, std::span<const int> numbers) {
  std::vector<questions> chosen;
  for (const auto& set : sets) chosen.push_back({set.length, {}, {}});
  for (const int number : numbers) {
    std::size_t i = 0;
    index_t q = number;
    while (i < sets.size() && q >= sets[i].size()) q -= sets[i++].size();
    require(number >= 0 && i < sets.size(), "question ", number, " is not among the ", total(sets));
    chosen[i].add(sets[i][q], sets[i].targets[static_cast<std::size_t>(q)]);
  }
  return chosen;
}

}  // namespace geofact
