// The geofact side of the comparison with PyTorch and JAX (run.sh):
//
//     train_step write N R D M FOLDER          writes initial weights, questions, and geofact's loss and gradient
//     train_step time FOLDER THREADS STEPS     times full-batch AdamW steps on them, after three that are not
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>

#include "geofact/fact/graph.hpp"
#include "geofact/io/model_file.hpp"
#include "geofact/training/trainer.hpp"

namespace {

using namespace geofact;
using model_type = parameters<float>;

void write(int entities, int relations, int width, int hidden, const std::string& folder) {
  const auto facts = random_bijections(entities, {.relations = relations, .seed = 1});
  const recipe r = fast(width, hidden);
  model_type model(trained_sizes(facts, r));
  initialize(model, r);
  write_model(folder + "/model.safetensors", model);

  const questions asked = all_questions(facts)[0];
  model_type gradient(model.extents());
  const matrix<double> loss =
      matrix<double>::Constant(1, 1, loss_function<model_type>(model, asked)(model, gradient).cross_entropy);
  const Eigen::Map<const matrix<int>> tokens(asked.tokens.data(), asked.length, asked.size());
  const Eigen::Map<const vector<int>> targets(asked.targets.data(), asked.size());
  const auto transposed = tokens.transpose();
  std::vector<named_tensor> tensors = {{"cross_entropy", loss}, {"tokens", transposed}, {"targets", targets}};
  for (const table& t : model.tables()) {
    const const_matrix_view<float> view(gradient.block().data() + t.offset, t.rows, t.columns);
    if (t.size() > 0) tensors.push_back({"gradient." + t.name, view});
  }
  write_safetensors(folder + "/gradient.safetensors", tensors);
}

questions read_questions(const std::string& path) {
  const safetensors_file file(path);
  const matrix<int> tokens = file["tokens"].transposed().to_matrix<int>(), targets = file["targets"].to_matrix<int>();
  return {static_cast<int>(tokens.rows()),
          {tokens.data(), tokens.data() + tokens.size()},
          {targets.data(), targets.data() + targets.size()}};
}

/// The most memory that this process has held, in bytes.
long peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (long kilobytes = 0; word == "VmHWM:" && status >> kilobytes) return 1024 * kilobytes;
  return 0;
}

void time(const std::string& folder, int threads, int steps) {
  const long base = peak_memory();
  recipe r;
  r.threads = threads;
  learner_state<model_type> learner(read_model<float>(folder + "/model.safetensors"));
  model_type gradient(learner.model.extents());
  loss_function<model_type> losses(learner.model, read_questions(folder + "/gradient.safetensors"), threads);
  double loss = 0;
  std::cout << "{\"seconds\": [";
  constexpr int warm_up = 3;
  for (int step = 0; step < warm_up + steps; ++step) {
    const auto start = std::chrono::steady_clock::now();
    loss = losses(learner.model, gradient).cross_entropy;
    update_adam(learner, gradient, r, 1e-3);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (step >= warm_up) std::cout << (step > warm_up ? ", " : "") << seconds.count();
  }
  std::cout << "], \"loss\": " << loss << ", \"base\": " << base << ", \"peak\": " << peak_memory() << "}\n";
}

}  // namespace

int main(int count, char** words) {
  const std::vector<std::string> given(words + 1, words + count);
  const auto number = [&](std::size_t i) { return std::stoi(given[i]); };
  try {
    if (given.size() == 6 && given[0] == "write")
      write(number(1), number(2), number(3), number(4), given[5]);
    else if (given.size() == 4 && given[0] == "time")
      time(given[1], number(2), number(3));
    else
      geofact::require(false, "usage: train_step write N R D M FOLDER | train_step time FOLDER THREADS STEPS");
  } catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
  }
}
