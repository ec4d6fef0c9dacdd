#pragma once
#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "geofact/training/backend.hpp"
#include "geofact/training/checkpoint.hpp"

namespace geofact {

/// The sizes of the paper's model for these facts, and of the models that think: `layers` MLPs, output = width.
template <int R>
sizes<> trained_sizes(const fact_table<R>& facts, const recipe& r, const task& asked = {}) {
  require(r.width >= 1, "a model needs a width of at least 1, not ", r.width);
  require(r.hidden >= 0, "a model cannot have ", r.hidden, " hidden units");
  const bool attends = asked.how == mode::cot;
  require(!attends || r.heads >= 1, "a chain of thought with learned attention needs a head");
  return {.entities = facts.subjects(),
          .relations = asked.relation_tokens(facts.relations()),
          .positions = asked.positions(),
          .width = r.width,
          .hidden = r.hidden > 0 ? r.hidden : to_extent(checked_product(4, r.width)),
          .layers = r.layers,
          .output = r.width,
          .attributes = facts.attributes(),
          .heads = attends ? r.heads : 0,
          .key = attends ? (r.key > 0 ? r.key : r.width) : 0,
          .value = attends ? (r.value > 0 ? r.value : r.width) : 0,
          .residual = r.residual};
}

/// Starts every table: embeddings, unembedding and attention with variance 1 / width, W1 with 2 / width, W2 with
/// 1 / hidden, biases 0, times the scale of the table's rule.
template <class Model>
void initialize(Model& model, const recipe& r) {
  std::uint64_t stream = 0;
  for (const table& t : model.tables()) {
    const random_stream random(r.seed, stream++);
    const bool bias = t.columns == 1 && (t.name.ends_with("b1") || t.name.ends_with("b2"));
    const double variance = t.name.ends_with("w1")   ? 2.0 / model.width()
                            : t.name.ends_with("w2") ? 1.0 / model.hidden()
                                                     : 1.0 / model.width();
    const double scale = bias ? 0 : r.rule(t.name).scale * std::sqrt(variance);
    for (index_t i = 0; i < t.size(); ++i)
      model.block()[t.offset + i] =
          static_cast<typename Model::Scalar>(scale * random.normal(static_cast<std::uint64_t>(i)));
  }
  if (r.unit_unembedding) model.unembedding().rowwise().normalize();
}

/// A finished run.
template <class Model>
struct training_run {
  Model model;
  std::vector<training_step> history;  ///< its last step is the model
  index_t questions = 0;
  double seconds = 0;
  double gflops = 0;  ///< rate of the matrix products, in 1e9 operations a second

  double recall() const { return history.back().recall; }
  double cross_entropy() const { return history.back().cross_entropy; }
  /// The first step at which the model recalls at least this share; -1 if none.
  int steps_to(double share) const {
    for (const auto& one : history)
      if (one.judged && one.recall >= share) return one.step;
    return -1;
  }
};

/// What a run does beside training.
struct training_options {
  task asked = {};
  std::function<void(const training_step&)> on_step = nullptr;
  /// Ends the run where it says so of the steps so far.
  std::function<bool(const std::vector<training_step>&)> give_up = nullptr;
  std::string save = "";    ///< the checkpoint, written now and then and at the end
  double save_every = 60;   ///< seconds between checkpoints
  std::string resume = "";  ///< the checkpoint to go on from
};

namespace detail {

/// The numbers of the questions of each step: epochs of random order, cut in batches; the last one may be short.
class batches {
 public:
  batches(const recipe& r, index_t questions) : size_(r.batch), questions_(to_extent(questions)), seed_(r.seed) {
    require(r.batch >= 0, "a batch cannot have ", r.batch, " questions");
    if (size_ >= questions_) size_ = 0;
  }

  bool all() const { return size_ == 0; }
  int in_epoch() const { return all() ? 1 : (questions_ + size_ - 1) / size_; }

  /// Of step `step`; empty: all questions.
  std::span<const int> operator[](int step) {
    if (all()) return {};
    const int epoch = step / in_epoch(), place = step % in_epoch() * size_;
    if (epoch != epoch_)
      order_ = random_permutation(questions_, random_stream(seed_, epochs + static_cast<std::uint64_t>(epoch)));
    epoch_ = epoch;
    return std::span<const int>(order_).subspan(static_cast<std::size_t>(place),
                                                static_cast<std::size_t>((std::min)(size_, questions_ - place)));
  }

 private:
  static constexpr std::uint64_t epochs = std::uint64_t{1} << 32;  // streams apart from those of tables and noise
  int size_, questions_, epoch_ = -1;
  std::uint64_t seed_;
  std::vector<int> order_;
};

}  // namespace detail

/// Trains a model on the facts by AdamW. Loss and recall of a step that sees a batch or noise are those of the batch
/// and the noise; the model itself is judged every r.judge_every steps and at the end. Throws where the sizes do not
/// fit, where a checkpoint cannot be written or does not belong to this run, and, with the step and the setting at
/// fault, where the loss is no longer finite.
template <class Scalar, template <class> class Backend = cpu_backend, int R>
requires training_backend<Backend<parameters<Scalar>>> training_run<parameters<Scalar>> train(
    const fact_table<R>& facts, const recipe& r, const training_options& options = {}) {
  using Model = parameters<Scalar>;
  require(r.steps >= 1, "a run needs at least one step, not ", r.steps);
  const auto identity = run_identity(r, options.asked, facts);
  const auto extents = trained_sizes(facts, r, options.asked);
  Model start(extents);
  initialize(start, r);
  learner_state<Model> state(std::move(start));
  std::vector<training_step> history;
  if (!options.resume.empty()) history = read_checkpoint(options.resume, state, identity);

  auto asked = all_questions(facts, options.asked);
  const index_t all = total(asked);
  detail::batches batches(r, all);
  const int judge_every = r.judge_every > 0 ? r.judge_every : batches.in_epoch();
  const bool finished = std::ssize(history) > state.updates;
  int updates = state.updates;
  Backend<Model> learner(std::move(state), std::move(asked), r.threads);

  const auto begin = std::chrono::steady_clock::now();
  const double before = history.empty() ? 0 : history.back().seconds;
  const auto seconds = [&] {
    return before + std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  double saved = seconds(), flops = 0;
  const auto save = [&] {
    if (!options.save.empty()) write_checkpoint(options.save, learner.state(), history, identity);
    saved = seconds();
  };
  const auto note = [&](int step, const loss& now, double rate, bool judged) {
    history.push_back({step, now.cross_entropy, now.recall, rate, seconds(), judged});
    if (options.on_step) options.on_step(history.back());
    require(std::isfinite(now.cross_entropy), "the loss is not finite at step ", step, ": a learning rate of ",
            r.learning_rate, " is too large");
  };
  bool ended = finished;
  for (int step = updates; step < r.steps && !ended; ++step) {
    const double rate = scheduled_rate(r, step);
    const auto batch = batches[step];
    const random_stream noise(r.seed, 1000 + static_cast<std::uint64_t>(step));
    loss now = learner.gradient(batch, r.noise, noise);
    flops += loss_function<Model>::flops(extents, batch.empty() ? all : std::ssize(batch));
    bool judged = batches.all() && r.noise == 0;
    if (!judged && step > 0 && step % judge_every == 0 && r.stop_at <= 1) now = learner.judge(), judged = true;
    note(step, now, rate, judged);
    ended = (judged && now.recall >= r.stop_at) || (options.give_up && options.give_up(history));
    if (ended) break;
    learner.update(r, rate);
    updates = step + 1;
    if (!options.save.empty() && seconds() - saved >= options.save_every) save();
  }
  const double trained = seconds() - before;
  if (!finished && !history.empty() && !(ended && history.back().judged)) {
    if (ended) history.pop_back();
    note(updates, learner.judge(), 0, true);
  }
  if (!finished) save();
  return {learner.state().model, std::move(history), all, before + trained, trained > 0 ? flops / trained * 1e-9 : 0};
}

}  // namespace geofact
