#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "../io/files.hpp"
#include "geofact/fact/graph.hpp"
#include "geofact/training/trainer.hpp"

namespace checkpoint_test {

using namespace geofact;

namespace {

const auto facts = random_bijections(60, {.relations = 3, .seed = 2});

recipe short_recipe() {
  auto r = fast(8);
  r.steps = 30;
  r.batch = 50;  // 180 facts: four batches an epoch, the last one short
  r.noise = 0.1;
  r.mlp.decay = 0.01;
  r.seed = 7;
  return r;
}

/// Runs, but leaves at once when `step` is reached.
void run_until(int step, const recipe& r, training_options options) {
  struct left {};
  options.on_step = [&](const training_step& now) {
    if (now.step == step) throw left();
  };
  try {
    train<float>(facts, r, options);
  } catch (const left&) {
  }
}

bool same(const training_run<parameters<float>>& a, const training_run<parameters<float>>& b) {
  bool equal = a.model.block() == b.model.block() && a.history.size() == b.history.size();
  for (std::size_t i = 0; equal && i < a.history.size(); ++i)
    equal = a.history[i].cross_entropy == b.history[i].cross_entropy && a.history[i].recall == b.history[i].recall &&
            a.history[i].rate == b.history[i].rate && a.history[i].judged == b.history[i].judged;
  return equal;
}

}  // namespace

TEST_CASE("a run that was left at any step goes on bit by bit as if it had not been, on any number of threads") {
  const files::temporary_folder folder;
  for (const task& asked : {task{}, task{mode::cot, 2}}) {
    auto r = short_recipe();
    const auto whole = train<float>(facts, r, {.asked = asked});
    for (int step : {1, 4, 17, 29}) {
      CAPTURE(step);
      r.threads = 1 + step % 3;
      run_until(step, r, {.asked = asked, .save = folder / "c", .save_every = 0});
      const auto rest = train<float>(facts, r, {.asked = asked, .resume = folder / "c"});
      CHECK(same(rest, whole));
    }
  }
}

TEST_CASE("a run that ended goes on as what it was") {
  const files::temporary_folder folder;
  const auto run = train<float>(facts, short_recipe(), {.save = folder / "c"});
  CHECK(same(train<float>(facts, short_recipe(), {.resume = folder / "c"}), run));
}

TEST_CASE("a checkpoint is a model file") {
  const files::temporary_folder folder;
  const auto run = train<float>(facts, short_recipe(), {.save = folder / "c"});
  CHECK(read_model<float>(folder / "c").block() == run.model.block());
}

TEST_CASE("a run goes on only with its own settings, task, facts and scalars") {
  const files::temporary_folder folder;
  const std::string file = folder / "c";
  run_until(5, short_recipe(), {.save = file, .save_every = 0});
  const auto refusal = [&](const auto& change, const task& asked = {}) {
    auto r = short_recipe();
    change(r);
    return files::refusal([&] { train<float>(facts, r, {.asked = asked, .resume = file}); });
  };
  CHECK(refusal([](recipe& r) { r.learning_rate = 0.5; }) ==
        file + ": was left by a run with learning_rate 0.03, not 0.5");
  CHECK(refusal([](recipe& r) { r.width = 9; }) == file + ": was left by a run with width 8, not 9");
  CHECK(refusal([](recipe& r) { r.entity.frozen = true; }).ends_with("entity.frozen 0, not 1"));
  CHECK(refusal([](recipe& r) { r.curve = schedule::linear; }).ends_with("schedule 0, not 1"));
  CHECK(refusal([](recipe&) {}, {mode::direct, 2}).ends_with("hops 1, not 2"));
  const auto others = random_bijections(60, {.relations = 3, .seed = 3});
  CHECK(files::refusal([&] { train<float>(others, short_recipe(), {.resume = file}); }) ==
        file + ": was left by a run on other facts");
  CHECK(files::refusal([&] {
          train<double>(facts, short_recipe(), {.resume = file});
        }).ends_with("scalars in which it began"));
}

TEST_CASE("a checkpoint that is cut at any byte or that is no checkpoint is refused") {
  const files::temporary_folder folder;
  const std::string file = folder / "c";
  run_until(5, short_recipe(), {.save = file, .save_every = 0});
  const std::string bytes = files::contents(file);
  const auto resumes = [&](const std::string& name) { train<float>(facts, short_recipe(), {.resume = folder / name}); };
  for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 97) {
    files::put(folder / "cut", std::string_view(bytes).substr(0, size));
    CHECK_THROWS_AS(resumes("cut"), error);
  }
  CHECK_THROWS_WITH_AS(resumes("missing"), doctest::Contains("missing"), error);
  write_model(folder / "model", parameters<float>(trained_sizes(facts, short_recipe())));
  CHECK_THROWS_WITH_AS(resumes("model"), doctest::Contains("run.setting"), error);
  // Tensors of another shape under the settings of this run.
  learner_state<parameters<float>> wide(parameters<float>(trained_sizes(facts, fast(9))));
  write_checkpoint(folder / "wide", wide, {}, run_identity(short_recipe(), {}, facts));
  CHECK_THROWS_WITH_AS(resumes("wide"), doctest::Contains("has shape [9, 60] where the model has [8, 60]"), error);
  // A history that does not belong to the updates.
  learner_state<parameters<float>> state(parameters<float>(trained_sizes(facts, short_recipe())));
  write_checkpoint(folder / "history", state, {{}, {}, {}}, run_identity(short_recipe(), {}, facts));
  CHECK_THROWS_WITH_AS(resumes("history"), doctest::Contains("0 updates"), error);
}

TEST_CASE("a run that is killed at any moment leaves a checkpoint to go on from") {
  const files::temporary_folder folder;
  const auto whole = train<float>(facts, short_recipe());
  for (int milliseconds : {3, 8, 20}) {
    CAPTURE(milliseconds);
    const std::string file = folder / std::to_string(milliseconds);
    run_until(2, short_recipe(), {.save = file, .save_every = 0});
    const pid_t child = fork();
    if (child == 0) {
      while (true) train<float>(facts, short_recipe(), {.save = file, .save_every = 0});
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    CHECK(same(train<float>(facts, short_recipe(), {.save = file, .resume = file}), whole));
  }
}

}  // namespace checkpoint_test
