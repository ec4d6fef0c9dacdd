#include "geofact/model/magnitude.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "../support.hpp"

namespace magnitude_test {

using geofact::parameters;

TEST_CASE("magnitude bounds every number that the forward pass meets, for every kind of model") {
  std::uint64_t seed = 0;
  for (int heads : {0, 2})
    for (int layers : {0, 1, 3})
      for (int positions : {0, 4})
        for (int residual : {0, 1})
          for (int repeat = 0; repeat < 4; ++repeat) {
            geofact::sizes<> n;
            n.entities = 5, n.relations = 3, n.positions = positions, n.width = 6, n.hidden = 4, n.layers = layers;
            n.output = 3, n.attributes = 7, n.heads = heads, n.key = 2, n.value = 3, n.residual = residual;
            parameters<int> model(n);
            naive::randomize(model, ++seed, 2);
            const geofact::random_stream random(seed, 1);
            double largest = 0;
            for (std::uint64_t q = 0; q < 20; ++q) {
              std::vector<int> tokens;
              for (std::uint64_t t = 0; t < 4; ++t) tokens.push_back(random.below(8, 4 * q + t));
              naive::output(model, tokens, q % 2 == 0 ? 1 : 1e6, largest);
            }
            CAPTURE(seed);
            CHECK(largest <= geofact::magnitude(model, 4));
            CHECK(largest > 0);
          }
}

TEST_CASE("magnitude is attained where nothing cancels") {
  geofact::sizes<> n;
  n.entities = 2, n.relations = 2, n.width = 1, n.hidden = 1, n.layers = 1, n.output = 1, n.attributes = 1;
  parameters<int> model(n);
  model.block().setOnes();
  model.relation()(0, 1) = 3;  // x = 3 + 3, h = 7, y = 8
  model.unembedding()(0, 0) = -5;
  CHECK(geofact::magnitude(model, 2) == 40);
  CHECK(geofact::magnitude(model, 3) == 55);
}

}  // namespace magnitude_test
