#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "geofact/foundation/extent.hpp"

namespace geofact {

/// Questions of `length` tokens each, and the attribute that answers each. Entity s is token s, relation token t is
/// token entities + t.
struct questions {
  int length = 0;
  std::vector<int> tokens;   ///< [question][place]
  std::vector<int> targets;  ///< [question]

  index_t size() const { return std::ssize(targets); }
  int token(index_t q, int place) const { return tokens[static_cast<std::size_t>(q * length + place)]; }

  /// Appends a question.
  void add(std::span<const int> question, int target) {
    require(std::ssize(question) == length, "a question of ", question.size(),
            " tokens does not fit among questions of ", length);
    tokens.insert(tokens.end(), question.begin(), question.end());
    targets.push_back(target);
  }
};

}  // namespace geofact
