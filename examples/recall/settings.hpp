#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "geofact/construction/judge.hpp"
#include "geofact/construction/summary.hpp"
#include "geofact/construction/verify.hpp"
#include "geofact/fact/knowledge.hpp"
#include "geofact/fact/question.hpp"

/// What the command line asks for.
struct settings {
  std::string construction = "tree", code = "binary", positions = "one-hot";
  int hops = 0, embedded = 1, per_layer = 1, code_length = 0, key_length = 0, features = 0;
  double margin_share = 0.99, limit = geofact::verify_options{}.limit;
  std::uint64_t seed = 1;
  int threads = 0;
  bool sparse = false, progress = false;
  geofact::decoder decoder = geofact::decoder::automatic;
  std::vector<geofact::question> questions;
};

/// What one question was answered: one attribute, or a chain of thought.
struct reply {
  std::vector<int> attributes;
  double margin = 0;
};

/// What was built and found.
struct report {
  geofact::summary sizes;
  geofact::verification found;
  int code_length = 0, beta = 0;
  double construct_seconds = 0, verify_seconds = 0;
  std::vector<reply> replies;  ///< one a question
};

/// Constructs, verifies and answers with a model of `Scalar`s.
template <class Scalar>
report run(const settings& wanted, const geofact::knowledge& known);
