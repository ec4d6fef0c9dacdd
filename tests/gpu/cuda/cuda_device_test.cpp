#include <doctest/doctest.h>

#include "fake_cuda.hpp"
#include "geofact/gpu/learner.hpp"

using namespace geofact;
using namespace geofact::gpu;
static_assert(device<cuda_device>);

namespace {

const sizes<> extents{.entities = 20,
                      .relations = 3,
                      .positions = 3,
                      .width = 7,
                      .hidden = 12,
                      .layers = 2,
                      .output = 5,
                      .attributes = 40,
                      .heads = 2,
                      .key = 3,
                      .value = 4,
                      .residual = 1};

std::vector<questions> some_questions() {
  std::vector<questions> sets{{3, {}, {}}, {2, {}, {}}};
  const random_stream random(5);
  std::uint64_t i = 0;
  for (auto& set : sets)
    for (int q = 0; q < 50; ++q) {
      std::vector<int> tokens;
      for (int place = 0; place < set.length; ++place) tokens.push_back(random.below(23, i++));
      set.add(tokens, random.below(40, i++));
    }
  return sets;
}

/// Some steps of everything, with noise, batches and recordings; weights, moments and losses at the end.
template <class Store, class Device>
std::vector<float> run(const options& how, const std::shared_ptr<Device>& device = std::make_shared<Device>()) {
  learner<float, Store, Device> one(device, extents, some_questions(), how);
  std::vector<float> weights(static_cast<std::size_t>(one.count())), mean(weights.size()), square(weights.size());
  const random_stream random(1);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>(0.3 * random.normal(i));
  one.load(weights.data(), mean.data(), square.data(), 0);
  std::vector<float> all;
  const std::vector<int> batch{3, 70, 20, 21, 99};
  for (int step = 0; step < 9; ++step) {
    const auto found = step % 3 == 2 ? one.gradient(batch, 0, random) : one.gradient({}, step % 3 * 0.5, random);
    all.push_back(static_cast<float>(found.cross_entropy));
    one.update({}, 0.01);
  }
  all.push_back(static_cast<float>(one.judge().cross_entropy));
  one.save(weights.data(), mean.data(), square.data());
  for (const auto* part : {&weights, &mean, &square}) all.insert(all.end(), part->begin(), part->end());
  return all;
}

void check_clean() {
  CHECK(fake_cuda::machine.held() == 0);
  CHECK(fake_cuda::alive == 0);
}

}  // namespace

TEST_CASE("the CUDA device asks CUDA and cuBLAS for exactly what the host device computes, bit for bit") {
  for (const options& how :
       {options{}, options{.tf32 = true, .workspace = 1}, options{.atomic = true, .graph = false}}) {
    fake_cuda::replays = 0;
    CHECK(run<float, cuda_device>(how) == run<float, host_device<>>(how));
    CHECK(run<bf16, cuda_device>(how) == run<bf16, host_device<>>(how));
    CHECK(fake_cuda::replays == (how.graph ? 2 * (2 + 2) : 0));
  }
  check_clean();
}

TEST_CASE("no GPU, no driver and no such GPU are one sentence each") {
  fake_cuda::devices = 0;
  CHECK(cuda_devices() == 0);
  CHECK_THROWS_WITH_AS(cuda_device(), "there is no CUDA device 0 among 0", error);
  fake_cuda::finding_devices = cudaErrorInsufficientDriver;
  CHECK(cuda_devices() == 0);
  CHECK_THROWS_WITH_AS(cuda_device(),
                       "there is no CUDA device to use: CUDA driver version is insufficient for CUDA runtime version",
                       error);
  fake_cuda::finding_devices = cudaErrorUnknown;
  CHECK_THROWS_AS(cuda_devices(), error);  // a broken driver is no missing one
  fake_cuda::finding_devices = cudaSuccess, fake_cuda::devices = 1;
  CHECK_THROWS_AS(cuda_device(1), error);
  check_clean();
}

TEST_CASE("a program built for other GPUs says so at the first launch") {
  fake_cuda::launching = cudaErrorNoKernelImageForDevice;
  CHECK_THROWS_WITH_AS((run<float, cuda_device>({})), doctest::Contains("CMAKE_CUDA_ARCHITECTURES"), error);
  fake_cuda::launching = cudaSuccess;
  check_clean();
}

TEST_CASE("wherever a GPU has no room, the sizes are named and nothing leaks") {
  int refused = 0;
  for (int room = 0;; ++room) {
    fake_cuda::machine.allocations_left = room;
    try {
      run<float, cuda_device>({});
      break;
    } catch (const error& e) {
      ++refused;
      CHECK(std::string(e.what()).find("no room for ") == 0);
      CHECK(std::string(e.what()).find("1 of 1000 bytes are free") != std::string::npos);
    }
    check_clean();
  }
  fake_cuda::machine.allocations_left = -1;
  CHECK(refused > 20);
}

TEST_CASE("an error in the middle of a recording or a step ends with what CUDA says") {
  for (int launches : {0, 5, 60, 100}) {
    // As after a sticky error, the device is gone for good: a new one for each try.
    std::destroy_at(&fake_cuda::machine);
    std::construct_at(&fake_cuda::machine);
    fake_cuda::machine.launches_left = launches;
    CHECK_THROWS_WITH_AS((run<float, cuda_device>({})), doctest::Contains("an illegal memory access was found"), error);
    check_clean();
  }
  std::destroy_at(&fake_cuda::machine);
  std::construct_at(&fake_cuda::machine);
}
