#include "geofact/gpu/backend.hpp"

#include <doctest/doctest.h>

#include "backend_cases.hpp"
#include "geofact/gpu/host_device.hpp"

namespace backend_test {

using namespace geofact;
using namespace backend_cases;
using host = gpu::host_device<>;

TEST_CASE("each step on a device is that of the CPU, whatever the model has") {
  for (const auto& s : scenarios::all) {
    CAPTURE(std::string(s.name));
    CHECK(distance<host, double, model_type>(s, {}, 0, false, 4) < 1e-12);
    CHECK(distance<host, double, model_type>(s, {.narrow = false, .workspace = 1}, 0.5, false, 3) <
          1e-12);  // tiles of one warp
    CHECK(distance<host, double, model_type>(s, {.atomic = true, .graph = false}, 0, true, 3) < 1e-12);
    CHECK(distance<host, double, model_type>(s, {}, 0.5, true, 3) < 1e-12);
  }
}

TEST_CASE("float differs from the CPU in its last digits, TF32 in the third and bfloat16 in the second") {
  for (const auto& s : {scenarios::all[0], scenarios::all[5]}) {
    CAPTURE(std::string(s.name));
    CHECK(distance<host, float, parameters<float>>(s, {}, 0, false, 1) < 1e-5);
    const double tf32 = distance<host, float, parameters<float>>(s, {.tf32 = true}, 0, false, 1);
    CHECK(tf32 < 0.01);
    CHECK(tf32 > 1e-5);
    const double bf16 = distance<host, gpu::bf16, parameters<float>>(s, {}, 0.1, false, 1);
    CHECK(bf16 < 0.03);
    CHECK(bf16 > 1e-4);
  }
}

namespace {
/// Counts the operations of products of matrices with matrices.
struct counting_device : host {
  double flops = 0;
  void multiply(const gpu::product& g) {
    if (g.b.columns > 1) flops += 2.0 * g.a.rows * g.a.columns * g.b.columns;
    host::multiply(g);
  }
};
}  // namespace

TEST_CASE("the products of a step are those of the theory and no more") {
  for (const auto& s : {scenarios::all[0], scenarios::all[1], scenarios::all[2]}) {
    CAPTURE(std::string(s.name));
    const auto device = std::make_shared<counting_device>();
    const auto asked = random_questions(s, 100);
    gpu::basic_backend<model_type, counting_device> backend(learner_state<model_type>(random_model(s.extents, 3)),
                                                            asked, 1, {.narrow = false}, device);
    backend.gradient({}, 0, random_stream(1));
    CHECK(device->flops == loss_function<model_type>::flops(s.extents, 100));
  }
}

TEST_CASE("a state goes to the device and comes back bit for bit") {
  learner_state<model_type> start(random_model(scenarios::all[4].extents, 3));
  start.model.abstain = -5;
  start.mean.setRandom(), start.square.setRandom();
  start.updates = 7;
  const gpu::basic_backend<model_type, host> device(start, random_questions(scenarios::all[4], 3));
  const auto back = device.state();
  CHECK((back.model.block() == start.model.block()));
  CHECK((back.mean == start.mean));
  CHECK((back.square == start.square));
  CHECK(back.updates == 7);
  CHECK(back.model.abstain == -5);
}

}  // namespace backend_test
