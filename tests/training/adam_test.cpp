#include "geofact/training/adam.hpp"

#include <doctest/doctest.h>

#include "../support.hpp"

namespace adam_test {

using namespace geofact;

TEST_CASE("AdamW makes the steps of its definition, table by table, and leaves frozen tables alone") {
  const sizes<> n{.entities = 3, .relations = 2, .width = 2, .hidden = 3, .layers = 1, .output = 2, .attributes = 3};
  parameters<double> start(n), gradient(n);
  for (index_t i = 0; i < start.count(); ++i) start.block()[i] = 0.1 * static_cast<double>(i % 7) - 0.2;
  learner_state<parameters<double>> state(start);
  recipe r;
  r.entity = {.rate = 0.5, .decay = 0.1};
  r.unembedding.frozen = true;
  vector<double> weights = start.block(), m = 0 * weights, v = m;
  for (int step = 1; step <= 5; ++step) {
    for (index_t i = 0; i < start.count(); ++i) gradient.block()[i] = 0.3 * static_cast<double>((i * step) % 5) - 0.4;
    const double rate = 0.1 / step;
    update_adam(state, gradient, r, rate);
    for (const table& t : start.tables())
      for (index_t i = t.offset; i < t.offset + t.size(); ++i) {
        if (t.name == "unembedding") continue;
        const double g = gradient.block()[i], own = t.name == "entity" ? 0.5 * rate : rate;
        m[i] = 0.9 * m[i] + 0.1 * g;
        v[i] = 0.99 * v[i] + 0.01 * g * g;
        if (t.name == "entity") weights[i] -= own * 0.1 * weights[i];
        const double mean = m[i] / (1 - std::pow(0.9, step)), square = v[i] / (1 - std::pow(0.99, step));
        weights[i] -= own * mean / (std::sqrt(square) + 1e-8);
      }
    CHECK((state.model.block() - weights).cwiseAbs().maxCoeff() < 1e-14);
  }
  CHECK(state.updates == 5);
}

#ifdef GEOFACT_HAS_MXCSR
TEST_CASE("small gradients leave no subnormal moments") {
  const sizes<> n{.entities = 3, .relations = 2, .width = 2, .hidden = 3, .layers = 1, .output = 2, .attributes = 3};
  parameters<float> gradient(n);
  learner_state<parameters<float>> state(gradient);
  for (const float size : {1e-19f, 1e-37f}) {  // whose square is subnormal, and a tenth of which is
    gradient.block().setConstant(size);
    update_adam(state, gradient, {}, 0.1);
    CHECK_FALSE(any_subnormal(state.mean));
    CHECK_FALSE(any_subnormal(state.square));
  }
}
#endif

}  // namespace adam_test
