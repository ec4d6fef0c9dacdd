#include "geofact/model/forward.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "../support.hpp"
#include "geofact/model/parameters.hpp"
#include "geofact/model/sparse_parameters.hpp"

namespace forward_test {

using geofact::forward;
using geofact::matrix;
using geofact::parameters;
using geofact::sizes;

namespace {

struct kind {
  int heads, layers, positions, residual;
};

std::vector<kind> kinds() {
  std::vector<kind> all;
  for (int heads : {0, 1, 3})
    for (int layers : {0, 1, 3})
      for (int positions : {0, 6})
        for (int residual : {0, 1}) all.push_back({heads, layers, positions, residual});
  return all;
}

sizes<> sizes_of(const kind& k) {
  sizes<> n;
  n.entities = 6, n.relations = 4, n.positions = k.positions, n.width = 5, n.hidden = 7, n.layers = k.layers;
  n.output = 3, n.attributes = 8, n.heads = k.heads, n.key = 2, n.value = 4, n.residual = k.residual;
  return n;
}

/// tokens[t][q], random; `length` tokens in each of 5 sequences.
std::vector<std::vector<int>> random_tokens(int length, std::uint64_t seed) {
  const geofact::random_stream random(seed, 9);
  std::vector<std::vector<int>> tokens(static_cast<std::size_t>(length), std::vector<int>(5, 0));
  std::uint64_t i = 0;
  for (auto& column : tokens)
    for (int& token : column) token = random.below(10, i++);
  return tokens;
}

/// The greatest difference to the naive model over a batch.
template <class Model, class Reference>
double distance(const Model& model, const Reference& reference, const std::vector<std::vector<int>>& tokens,
                double scale = 1) {
  const auto y = forward(model, tokens);
  double worst = 0;
  for (geofact::index_t q = 0; q < y.cols(); ++q) {
    std::vector<int> sequence;
    for (const auto& column : tokens) sequence.push_back(column[static_cast<std::size_t>(q)]);
    const auto expected = naive::output(reference, sequence, scale);
    for (geofact::index_t j = 0; j < y.rows(); ++j)
      worst = std::max(worst, std::abs(static_cast<double>(y(j, q)) - expected[static_cast<std::size_t>(j)]) /
                                  (1 + std::abs(expected[static_cast<std::size_t>(j)])));
  }
  return worst;
}

template <class To, class From>
parameters<To> converted(const parameters<From>& model) {
  parameters<To> other(model.extents());
  other.block() = model.block().template cast<To>();
  return other;
}

}  // namespace

TEST_CASE("forward agrees with loops in double and in float, for every kind of model") {
  std::uint64_t seed = 0;
  for (const kind& k : kinds())
    for (int length : {1, 2, 5}) {
      parameters<double> model(sizes_of(k));
      naive::randomize(model, ++seed, 0.7);
      CAPTURE(seed);
      CAPTURE(k.heads);
      CAPTURE(k.layers);
      const auto tokens = random_tokens(length, seed);
      CHECK(distance(model, model, tokens) < 1e-12);
      CHECK(distance(converted<float>(model), model, tokens) < 1e-4);
    }
}

TEST_CASE("forward is exact in integers; learned attention takes the limit of large scores") {
  std::uint64_t seed = 100;
  for (const kind& k : kinds())
    for (int length : {1, 2, 3}) {
      parameters<int> model(sizes_of(k));
      naive::randomize(model, ++seed, 3);
      for (int h = 0; h < k.heads; ++h) model.head_value(h) *= 6;  // up to 3 tokens may share
      CAPTURE(seed);
      const auto tokens = random_tokens(length, seed);
      CHECK(distance(model, model, tokens, 1e6) == 0);
      auto limit = converted<double>(model);
      for (int h = 0; h < k.heads; ++h) limit.head_query(h) *= 1e5;
      CHECK((forward(limit, tokens) - forward(model, tokens).cast<double>()).cwiseAbs().maxCoeff() < 1e-6);
    }
}

TEST_CASE("integers refuse to share attention where the shares are no integers") {
  parameters<int> model(sizes_of({1, 0, 0, 0}));
  model.entity().setOnes();
  model.head_value(0).row(0) << 1, 0, 0, 0, 0;
  model.entity()(0, 1) = 2;
  const std::vector<std::vector<int>> even{{0}, {0}}, odd{{0}, {1}};
  CHECK_NOTHROW(forward(model, even));
  CHECK_THROWS_WITH_AS(forward(model, odd),
                       "equal scores share attention, and the shared values do not divide without a rest in integers",
                       geofact::error);
}

TEST_CASE("sparse weights give the numbers of dense ones") {
  std::uint64_t seed = 500;
  for (const kind& k : kinds()) {
    parameters<int> dense(sizes_of(k));
    naive::randomize(dense, ++seed, 1);
    for (int h = 0; h < k.heads; ++h) dense.head_value(h) *= 6;
    geofact::sparse_parameters<int> sparse(sizes_of(k));
    sparse.entity() = dense.entity(), sparse.relation() = dense.relation(), sparse.position() = dense.position();
    sparse.unembedding() = dense.unembedding();
    for (int h = 0; h < k.heads; ++h) {
      sparse.head_query(h) = dense.head_query(h), sparse.head_key(h) = dense.head_key(h);
      sparse.head_value(h) = dense.head_value(h), sparse.head_output(h) = dense.head_output(h);
    }
    for (int l = 0; l < k.layers; ++l) {
      sparse.w1(l) = matrix<int>(dense.w1(l)).sparseView();
      sparse.w2(l) = matrix<int>(dense.w2(l)).sparseView();
      sparse.b1(l) = dense.b1(l), sparse.b2(l) = dense.b2(l);
    }
    const auto tokens = random_tokens(3, seed);
    CHECK(forward(sparse, tokens) == forward(dense, tokens));
  }
}

TEST_CASE("attention weights do not change with a constant in all scores, and large scores do not overflow") {
  using row = geofact::row_vector<double>;
  std::vector<row> scores{row{{0.5, -3, 800}}, row{{1.5, 2, 0}}, row{{-1, 2, -800}}};
  for (double shift : {0.0, 1.0, -700.0, 1e6}) {
    auto shifted = scores;
    for (auto& score : shifted) score.array() += shift;
    const row sum = geofact::detail::exponentiate(shifted);
    for (int q = 0; q < 3; ++q)
      for (std::size_t t = 0; t < 3; ++t) {
        double expected = 0;
        for (const auto& other : scores) expected += std::exp(other[q] - scores[t][q]);
        CHECK(shifted[t][q] / sum[q] == doctest::Approx(1 / expected).epsilon(1e-8));
      }
  }
}

TEST_CASE("without positions only the last token's place matters; with positions order does") {
  for (int heads : {0, 2}) {
    parameters<double> unordered(sizes_of({heads, 1, 0, 0})), ordered(sizes_of({heads, 1, 6, 0}));
    naive::randomize(unordered, 3, 0.7);
    naive::randomize(ordered, 3, 0.7);
    const std::vector<std::vector<int>> one{{0}, {7}, {3}, {2}}, other{{3}, {0}, {7}, {2}};
    CHECK((forward(unordered, one) - forward(unordered, other)).cwiseAbs().maxCoeff() < 1e-12);
    if (heads > 0) CHECK((forward(ordered, one) - forward(ordered, other)).cwiseAbs().maxCoeff() > 1e-3);
  }
}

TEST_CASE("a token, a place or a batch that the model does not have is refused in a sentence") {
  const parameters<float> model(sizes_of({1, 1, 2, 0}));
  using tokens = std::vector<std::vector<int>>;
  CHECK_THROWS_WITH_AS(forward(model, tokens{}), "a model needs at least one token", geofact::error);
  CHECK_THROWS_WITH_AS(forward(model, tokens{{0}, {10}}),
                       "token 10 is not among the 6 entities and 4 relation tokens of the model", geofact::error);
  CHECK_THROWS_AS(forward(model, tokens{{-1}}), geofact::error);
  CHECK_THROWS_WITH_AS(forward(model, tokens{{0}, {1}, {2}}), "the model has 2 positions and no place for token 3",
                       geofact::error);
  CHECK_THROWS_WITH_AS(forward(model, tokens{{0, 1}, {1}}), "a batch of 2 sequences got 1 tokens", geofact::error);
  CHECK(forward(model, tokens{{}, {}}).cols() == 0);
}

}  // namespace forward_test
