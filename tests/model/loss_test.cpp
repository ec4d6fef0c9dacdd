#include "geofact/model/loss.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "../support.hpp"
#include "scenarios.hpp"

namespace loss_test {

using namespace geofact;
using model_type = parameters<double>;

namespace {

using scenarios::scenario;

model_type random_model(const sizes<>& n, std::uint64_t seed) { return scenarios::random_model<model_type>(n, seed); }

/// Questions of the scenario's first length.
questions questions_of(const scenario& s, int count) { return scenarios::random_questions(s, count)[0]; }

/// Cross-entropy by the forward pass and a plain softmax, question by question.
double naive_loss(const model_type& model, const questions& asked) {
  double sum = 0;
  for (geofact::index_t q = 0; q < asked.size(); ++q) {
    std::vector<std::vector<int>> tokens;
    for (int place = 0; place < asked.length; ++place) tokens.push_back({asked.token(q, place)});
    const vector<double> logits = model.unembedding() * forward(model, tokens);
    sum += std::log(logits.array().exp().sum()) - logits[asked.targets[static_cast<std::size_t>(q)]];
  }
  return sum / static_cast<double>(asked.size());
}

}  // namespace

TEST_CASE("the loss is the cross-entropy of the forward pass") {
  for (const auto& s : scenarios::all) {
    CAPTURE(s.name);
    const auto model = random_model(s.extents, 3);
    auto gradient = model;
    const auto asked = questions_of(s, 300);
    CHECK(loss_function<model_type>(model, asked)(model, gradient).cross_entropy ==
          doctest::Approx(naive_loss(model, asked)).epsilon(1e-12));
  }
}

TEST_CASE("the gradient of every weight agrees with finite differences") {
  for (const auto& s : scenarios::all) {
    CAPTURE(s.name);
    const auto model = random_model(s.extents, 3);
    auto gradient = model;
    const auto asked = questions_of(s, 25);
    loss_function<model_type>(model, asked)(model, gradient);
    const double h = 1e-5;
    double worst = 0;
    for (const table& t : model.tables())
      for (geofact::index_t i = t.offset; i < t.offset + t.size();
           i += 1 + t.size() / 25) {  // some 25 weights of each table
        auto moved = model;
        moved.block()[i] += h;
        const double above = naive_loss(moved, asked);
        moved.block()[i] -= 2 * h;
        const double slope = (above - naive_loss(moved, asked)) / (2 * h);
        worst = (std::max)(worst, std::abs(slope - gradient.block()[i]));
      }
    CHECK(worst < 1e-8);
    CHECK(gradient.block().cwiseAbs().maxCoeff() > 1e-2);
  }
}

TEST_CASE("loss and gradient do not depend on the number of threads, bit by bit") {
  for (const auto& s : scenarios::all) {
    CAPTURE(s.name);
    const auto model = random_model(s.extents, 4);
    auto one = model, three = model;
    const auto asked = questions_of(s, 2000);
    const loss a = loss_function<model_type>(model, asked, 1)(model, one),
               b = loss_function<model_type>(model, asked, 3)(model, three);
    CHECK(a.cross_entropy == b.cross_entropy);
    CHECK(one.block() == three.block());
  }
}

#ifdef GEOFACT_HAS_MXCSR
TEST_CASE("a model that is sure of its answers has no subnormal numbers in its gradient") {
  const auto& s = scenarios::all[3];
  auto model = scenarios::random_model<parameters<float>>(s.extents, 3);
  model.unembedding() *= 100;
  auto gradient = model;
  const auto asked = questions_of(s, 30);
  loss_function<parameters<float>> losses(model, asked);
  bool unlikely = false;  // whether an answer has a subnormal probability
  for (geofact::index_t q = 0; q < asked.size(); ++q) {
    std::vector<std::vector<int>> tokens;
    for (const int token : asked[q]) tokens.push_back({token});
    const vector<float> logits = model.unembedding() * forward(model, tokens);
    for (const float x : logits) unlikely |= any_subnormal(std::array{std::exp(x - logits.maxCoeff())});
    losses(model, gradient, std::vector{static_cast<int>(q)});  // alone, for a sum would hide them
    CHECK_FALSE(any_subnormal(gradient.block()));
  }
  CHECK(unlikely);
}
#endif

TEST_CASE("questions that do not fit the model are refused") {
  const auto model = random_model(scenarios::all[3].extents, 1);
  const auto refused = [&](int length, std::vector<int> tokens, int target) {
    CHECK_THROWS_AS(loss_function<model_type>(model, questions{length, tokens, {target}}), error);
  };
  refused(2, {0, 13}, 0);
  refused(2, {-1, 2}, 0);
  refused(2, {0, 12}, 11);
  refused(5, {0, 1, 2, 3, 4}, 0);
  CHECK_THROWS_AS(loss_function<model_type>(model, questions{2, {}, {}}), error);
}

TEST_CASE("the loss over several sets of questions is their mean, with a gradient or without") {
  const auto& s = scenarios::all[3];
  const auto model = random_model(s.extents, 3);
  auto gradient = model;
  const auto all = questions_of(s, 300);
  questions shorter{all.length - 1, {}, {}};
  for (geofact::index_t q = 0; q < 100; ++q)
    shorter.add(all[q].first(static_cast<std::size_t>(shorter.length)), all.targets[static_cast<std::size_t>(q)]);
  loss_function<model_type> losses(model, std::vector{all, shorter});
  const double expected = (300 * naive_loss(model, all) + 100 * naive_loss(model, shorter)) / 400;
  CHECK(losses(model, gradient).cross_entropy == doctest::Approx(expected).epsilon(1e-12));
  CHECK(losses(model).cross_entropy == doctest::Approx(expected).epsilon(1e-12));

  // A batch is the loss over its questions, whichever sets they are from.
  auto batch_gradient = model;
  const std::vector<int> numbers = {350, 2, 17, 399};
  const auto batch = losses(model, batch_gradient, numbers);
  loss_function<model_type> direct(model, subset(losses.asked(), numbers));
  CHECK(direct.asked()[0].size() == 2);
  CHECK(direct.asked()[1].targets[0] == all.targets[50]);
  CHECK(batch.cross_entropy == direct(model, gradient).cross_entropy);
  CHECK(batch_gradient.block() == gradient.block());
  CHECK_THROWS_AS(losses(model, gradient, std::vector{400}), error);
  CHECK_THROWS_AS(losses(model, gradient, std::vector{-1}), error);
}

}  // namespace loss_test
