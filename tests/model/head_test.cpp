#include "geofact/model/head.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "../support.hpp"
#include "geofact/model/parameters.hpp"

namespace head_test {

using geofact::attribute_range;
using geofact::matrix;
using geofact::parameters;
using geofact::unknown;

namespace {

template <class Scalar>
parameters<Scalar> head_of(int attributes, int output) {
  geofact::sizes<> n;
  n.width = output, n.output = output, n.attributes = attributes;
  return parameters<Scalar>(n);
}

/// The first greatest logit, and its distance to the next, one attribute after the other.
template <class Scalar>
geofact::answer first_greatest(const parameters<Scalar>& model, const matrix<Scalar>& y, geofact::index_t q,
                               attribute_range range) {
  geofact::answer best;
  double top = -1e300, next = -1e300;
  for (int a = range.first; a < range.last; ++a) {
    double logit = 0;
    for (int j = 0; j < model.output(); ++j) logit += static_cast<double>(model.unembedding()(a, j) * y(j, q));
    next = std::max(next, std::min(top, logit));
    if (logit > top) top = logit, best.attribute = a;
  }
  best.logit = top;
  best.margin = range.size() == 1 ? top : top - next;
  if (!(top > static_cast<double>(model.abstain))) best.attribute = unknown;
  return best;
}

/// Compares all answers of a random head on a random batch.
template <class Scalar>
void check_decode(int attributes, int queries, attribute_range range, Scalar abstain, std::uint64_t seed) {
  CAPTURE(attributes);
  CAPTURE(queries);
  CAPTURE(seed);
  auto model = head_of<Scalar>(attributes, 3);
  naive::randomize(model, seed, 2);
  model.abstain = abstain;
  const geofact::random_stream random(seed, 1);
  matrix<Scalar> y(3, queries);
  for (geofact::index_t i = 0; i < y.size(); ++i)
    y.data()[i] = static_cast<Scalar>(random.below(9, static_cast<std::uint64_t>(i)) - 4);
  const auto answers = decode(model, y, range);
  REQUIRE(std::ssize(answers) == queries);
  int disagree = 0;
  for (int q = 0; q < queries; ++q) {
    const auto expected = first_greatest(model, y, q, range);
    const auto& found = answers[static_cast<std::size_t>(q)];
    const double slack = std::is_integral_v<Scalar> ? 0 : 1e-4;
    disagree += found.attribute != expected.attribute || std::abs(found.logit - expected.logit) > slack ||
                std::abs(found.margin - expected.margin) > slack;
  }
  CHECK(disagree == 0);
}

}  // namespace

TEST_CASE("decode finds the first greatest logit and its margin, ties included, also over several tiles") {
  constexpr int lowest = std::numeric_limits<int>::lowest();
  for (int attributes : {1, 2, 5, 100, 4095, 4096, 4097, 9000})
    for (int queries : {0, 1, 64, 65, 130})
      check_decode<int>(attributes, queries, {0, attributes}, lowest, static_cast<std::uint64_t>(attributes + queries));
  check_decode<float>(5000, 70, {0, 5000}, -1e30F, 7);
  check_decode<double>(300, 70, {0, 300}, -1e300, 8);
}

TEST_CASE("decode stays within its range and abstains at or below the threshold") {
  for (int threshold : {-20, 0, 5, 8, 1000}) {
    check_decode<int>(9000, 65, {10, 8999}, threshold, 1);
    check_decode<int>(9000, 65, {4096, 4097}, threshold, 2);
    check_decode<int>(50, 65, {20, 21}, threshold, 3);
    check_decode<int>(50, 65, {20, 30}, threshold, 4);
    check_decode<double>(50, 65, {20, 30}, threshold, 5);
  }
  auto model = head_of<int>(2, 1);
  model.unembedding() << 1, -1;
  model.abstain = 3;
  const auto answers = decode(model, matrix<int>(matrix<int>{{3, 4, -4, 0}}));
  CHECK(answers[0].attribute == unknown);
  CHECK(answers[0].logit == 3);
  CHECK(answers[1].attribute == 0);
  CHECK(answers[1].margin == 8);
  CHECK(answers[2].attribute == 1);
  CHECK(answers[3].attribute == unknown);
}

TEST_CASE("a number that is not one is never answered") {
  auto model = head_of<double>(5000, 1);
  model.unembedding().setOnes();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto answers = decode(model, matrix<double>(matrix<double>{{nan, 1}}));
  CHECK(answers[0].attribute == unknown);
  CHECK(answers[1].attribute == 0);
}

}  // namespace head_test
