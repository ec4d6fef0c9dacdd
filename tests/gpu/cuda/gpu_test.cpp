#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>
#include <iostream>

#include "../backend_cases.hpp"
#include "cases.hpp"
#include "geofact/code/binary.hpp"
#include "geofact/construction/chain_of_thought.hpp"
#include "geofact/construction/realize.hpp"
#include "geofact/construction/single_hop.hpp"
#include "geofact/fact/graph.hpp"
#include "geofact/gpu/verify.hpp"
#include "geofact/training/trainer.hpp"

/// \file
/// On a GPU: every kernel, every product, and training beside the CPU. Compiled by the C++ compiler; the kernels are in
/// cases.cu.

using namespace geofact;

using gpu::cuda_device;

extern template class gpu::learner<float, float, cuda_device>;
extern template class gpu::learner<float, gpu::bf16, cuda_device>;
extern template class gpu::reader<float, float, cuda_device>;

namespace {
template <class Model>
using on_gpu = gpu::basic_backend<Model, cuda_device>;
template <class Model>
using on_gpu_in_bf16 = gpu::basic_backend<Model, cuda_device, gpu::bf16>;
using floats = parameters<float>;
}  // namespace

TEST_CASE("every kernel agrees with plain loops in double") {
  cuda_device device;
  for (const auto& [rows, columns, blocks, threads] :
       {std::array{1, 1, 1, 32}, {7, 3, 2, 32}, {33, 13, 4, 64}, {257, 40, 40, 256}, {1000, 7, 3, 256}}) {
    CAPTURE(std::to_string(rows));
    CHECK(cases::worst_kernel(device, rows, columns, blocks, threads, false) < 1e-4);
    CHECK(cases::worst_kernel(device, rows, columns, blocks, threads, true) < 2e-2);
  }
}

TEST_CASE("products of all types and transpositions are exact for small integers") {
  cuda_device device;
  CHECK(cases::wrong_products(device) == 0);
}

TEST_CASE("each step on a GPU is that of the CPU, whatever the model has") {
  using backend_cases::distance;
  for (const auto& s : scenarios::all) {
    CAPTURE(std::string(s.name));
    CHECK(distance<cuda_device, float, floats>(s, {}, 0, false, 4) < 1e-3);
    CHECK(distance<cuda_device, float, floats>(s, {.narrow = false, .workspace = 1}, 0.5, false, 3) < 1e-3);
    CHECK(distance<cuda_device, float, floats>(s, {.atomic = true, .graph = false}, 0, true, 3) < 1e-3);
    CHECK(distance<cuda_device, float, floats>(s, {.tf32 = true}, 0, false, 1) < 0.01);
    CHECK(distance<cuda_device, gpu::bf16, floats>(s, {}, 0.1, false, 1) < 0.03);
  }
}

TEST_CASE("a run is the same every time, and memorises") {
  const auto facts = random_bijections(512, {.relations = 4, .seed = 3});
  auto r = fast(18);
  r.steps = 200;
  const auto one = train<float, on_gpu>(facts, r), again = train<float, on_gpu>(facts, r);
  CHECK((one.model.block() == again.model.block()));
  CHECK(one.recall() > 0.99);
  CHECK(train<float, on_gpu_in_bf16>(facts, r).recall() > 0.9);
}

TEST_CASE("constructions recall every fact on a GPU, at once and by a chain of thought") {
  const auto facts = random_bijections(1000, {.relations = 4, .seed = 1});
  const auto direct = realize<float>(tree(binary_code(1000), 4), facts);
  const auto found = gpu::basic_recall<floats, cuda_device>(direct).verify(facts);
  CHECK(found.exact());
  CHECK(found.recalled == 4000);
  CHECK(found.margin == 2);
  const auto chain = realize<float>(chain_of_thought_with_margin(binary_code(1000), 4, binary_code(3)), facts);
  gpu::basic_recall<floats, cuda_device> thinking(chain);
  CHECK(thinking.verify(facts).exact());
  const auto thoughts = thinking.ask_chain({0, 999}, std::vector{3, 1, 0});
  CHECK(thoughts[2][1].attribute == facts(facts(facts(999, 3), 1), 0));
}

TEST_CASE("no room names the sizes, and the device goes on") {
  cuda_device device;
  CHECK_THROWS_WITH_AS(device.allocate(std::size_t{1} << 50, "logits"), doctest::Contains("bytes of logits"), error);
  CHECK(cases::wrong_products(device) == 0);
}

int main(int argc, char** argv) {
  if (gpu::cuda_devices() == 0) {
    std::cout << "skipped: there is no GPU\n";
    return std::getenv("GEOFACT_REQUIRE_GPU") != nullptr ? 1 : 77;
  }
  const int failed = doctest::Context(argc, argv).run();
  if (failed != 0 || argc > 1) return failed;
  // Last: such an error is for good.
  cuda_device device;
  cases::read_outside(device);
  try {
    device.synchronize();
  } catch (const error& e) {
    std::cout << "an illegal access is reported: " << e.what() << '\n';
    return 0;
  }
  return 1;
}
