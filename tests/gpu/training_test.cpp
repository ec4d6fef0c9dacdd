#include <doctest/doctest.h>

#include <filesystem>

#include "geofact/fact/graph.hpp"
#include "geofact/gpu/backend.hpp"
#include "geofact/gpu/host_device.hpp"
#include "geofact/training/trainer.hpp"

namespace training_test {

using namespace geofact;
using model_type = parameters<float>;
using host = gpu::host_device<>;

namespace {

template <class Model>
using on_host = gpu::basic_backend<Model, host>;

auto some_facts() { return random_bijections(48, {.relations = 3, .seed = 3}); }

}  // namespace

TEST_CASE("a run of the trainer on a device goes as on the CPU, step by step, and memorises") {
  const auto facts = some_facts();
  for (const recipe& r : {fast(16), geometric(30)}) {
    auto limited = r;
    limited.steps = 100;
    const auto cpu = train<float>(facts, limited), device = train<float, on_host>(facts, limited);
    const std::size_t steps = (std::min)(cpu.history.size(), device.history.size());
    CHECK(steps > 12);
    for (std::size_t i = 0; i < 12; ++i)
      CHECK(device.history[i].cross_entropy == doctest::Approx(cpu.history[i].cross_entropy).epsilon(1e-3));
    CHECK(device.recall() > 0.99);
    CHECK(cpu.recall() > 0.99);
  }
}

TEST_CASE("a batch that needs more room than all questions in order does not disturb the recorded step") {
  const auto facts = some_facts();
  model_type model(trained_sizes(facts, fast(8)));
  initialize(model, fast(8));
  const learner_state<model_type> start(model);
  on_host<model_type> learner(start, all_questions(facts), 1, {.workspace = 1});  // tiles of 32: some 11 subjects each
  std::vector<int> mixed;
  for (int q = 0; q < 144; ++q) mixed.push_back(q % 48 * 3 + q / 48);  // tiles of 32 subjects
  const auto full = [&] { return learner.gradient({}, 0, random_stream(1)).cross_entropy; };
  const double first = full();
  CHECK(full() == first);
  CHECK(learner.gradient(mixed, 0, random_stream(1)).cross_entropy == doctest::Approx(first).epsilon(1e-5));
  learner.update(fast(8), 0);
  const auto after_batch = learner.state();
  CHECK(full() == first);
  learner.update(fast(8), 0);
  const auto after_replay = learner.state();
  CHECK((after_replay.mean - 1.9F * after_batch.mean).cwiseAbs().maxCoeff() < 1e-6);
}

TEST_CASE("a checkpoint of one backend goes on in the other") {
  const auto facts = some_facts();
  const auto file = (std::filesystem::temp_directory_path() / "geofact_gpu_checkpoint.safetensors").string();
  auto r = fast(12);
  r.steps = 20, r.stop_at = 2;
  const auto whole = train<float, on_host>(facts, r);
  // Ten steps on the CPU, and whatever follows on the device.
  struct interrupted {};
  const auto interrupt = [](const training_step& now) {
    if (now.step == 10) throw interrupted();
  };
  CHECK_THROWS_AS(train<float>(facts, r, {.on_step = interrupt, .save = file, .save_every = 0}), interrupted);
  const auto rest = train<float, on_host>(facts, r, {.resume = file});
  CHECK(rest.history.size() == whole.history.size());
  CHECK(rest.cross_entropy() == doctest::Approx(whole.cross_entropy()).epsilon(1e-2));
  std::filesystem::remove(file);
}

TEST_CASE("wherever the device has no room, the sizes are named, nothing leaks and the start is as it was") {
  const auto facts = some_facts();
  model_type model(trained_sizes(facts, fast(8)));
  initialize(model, fast(8));
  const learner_state<model_type> start(model);
  int refused = 0;
  for (int room = 0;; ++room) {
    const auto device = std::make_shared<host>();
    device->allocations_left = room;
    try {
      on_host<model_type> learner(start, all_questions(facts), 1, {}, device);
      break;
    } catch (const error& e) {
      ++refused;
      CHECK(std::string(e.what()).find("no room for ") == 0);
      CHECK(device->held() == 0);
    }
  }
  CHECK(refused > 10);
  CHECK((start.model.block() == model.block()));
}

TEST_CASE("a device that fails in the middle of a step says so from then on and gives everything back") {
  const auto facts = some_facts();
  model_type model(trained_sizes(facts, fast(8)));
  initialize(model, fast(8));
  const auto device = std::make_shared<host>();
  {
    on_host<model_type> learner(learner_state<model_type>(model), all_questions(facts), 1, {}, device);
    learner.gradient({}, 0, random_stream(1));
    device->launches_left = 3;
    CHECK_THROWS_WITH_AS(learner.gradient({}, 0, random_stream(1)), doctest::Contains("illegal memory access"), error);
    CHECK_THROWS_WITH_AS(learner.update(fast(8), 0.1), doctest::Contains("illegal memory access"), error);
    CHECK_THROWS_WITH_AS(learner.state(), doctest::Contains("illegal memory access"), error);
  }
  CHECK(device->held() == 0);
}

TEST_CASE("questions that do not fit the model are refused before the device sees them") {
  const model_type model(trained_sizes(some_facts(), fast(8)));
  const learner_state<model_type> start(model);
  const auto refused = [&](std::vector<int> tokens, int target) {
    CHECK_THROWS_AS(on_host<model_type>(start, {questions{2, tokens, {target}}}), error);
  };
  refused({0, 51}, 0);
  refused({-1, 2}, 0);
  refused({0, 1}, 48);
  CHECK_THROWS_AS(on_host<model_type>(start, {questions{2, {}, {}}}), error);
}

}  // namespace training_test
