#pragma once
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "geofact/foundation/random.hpp"
#include "geofact/gpu/kernel/adamw.hpp"
#include "geofact/gpu/kernel/narrow.hpp"
#include "geofact/gpu/kernel/noise.hpp"
#include "geofact/gpu/kernel/softmax.hpp"
#include "geofact/gpu/pass.hpp"
#include "geofact/training/recipe.hpp"

namespace geofact::gpu {

/// Loss, gradient and AdamW of a model on a device: the one orchestration of all devices, without Eigen, so that nvcc
/// compiles it in seconds. `Store` is what activations are stored as; weights, moments and gradients are Scalars.
template <class Scalar, class Store, device Device>
class learner {
 public:
  /// Nats a question, and the share of questions recalled.
  struct found {
    double cross_entropy, recall;
  };

  /// Throws for questions that do not fit, and where the device has no room, with the sizes.
  learner(std::shared_ptr<Device> device, const sizes<>& n, const std::vector<questions>& asked, const options& how)
      : learner(std::move(device), n, asked, how, checked(n, asked, how)) {}

  /// Starts from these weights and moments.                          // (count()) each
  void load(const Scalar* weights, const Scalar* mean, const Scalar* square, int updates) {
    weights_.upload(weights, count());
    mean_.upload(mean, count());
    square_.upload(square, count());
    updates_ = updates;
  }
  void save(Scalar* weights, Scalar* mean, Scalar* square) const {
    weights_.download(weights, count());
    mean_.download(mean, count());
    square_.download(square, count());
  }
  index_t count() const { return weights_in(layout_); }
  int updates() const { return updates_; }

  /// Loss over the questions of these numbers (all where there are none), and its gradient, kept for update(); with
  /// Gaussian noise on E of so many standard deviations of E.
  found gradient(std::span<const int> batch, double noise, const random_stream& random) {
    const bool noisy = noise > 0;
    if (noisy) add_noise(static_cast<Scalar>(noise), random);
    if (!batch.empty()) return run(batch, seen(noisy));
    // The first step also loads what the device loads late; the second one is recorded.
    if (auto& steps = recorded_[noisy]; how_.graph && steps.warm) {
      if (!steps.all) steps.all = device_->record([&] { differentiate(all_, all_ints_.data(), seen(noisy)); });
      device_->replay(*steps.all);
    } else {
      differentiate(all_, all_ints_.data(), seen(noisy));
      steps.warm = true;
    }
    return loss_of(all_.questions);
  }

  /// Loss over all questions, without noise.
  found judge() {
    const auto w = seen(false);
    begin(w);
    for (const tile_plan& tile : all_.tiles) head(w, tile, all_ints_.data(), Scalar{0});
    sum(all_.questions);
    return loss_of(all_.questions);
  }

  /// One step of AdamW along the last gradient (training/adam.hpp).
  void update(const recipe& r, double rate) {
    const int step = ++updates_;
    const double whole = std::sqrt(1 - std::pow(r.beta2, step)), unbias = whole / (1 - std::pow(r.beta1, step));
    std::vector<kernel::adamw_rule<Scalar>> rules;
    for (const table& t : layout_) {
      const table_rule& rule = r.rule(t.name);
      rules.push_back({static_cast<Scalar>(rate * rule.rate * unbias),
                       static_cast<Scalar>(1 - rate * rule.rate * rule.decay), static_cast<Scalar>(r.beta1),
                       static_cast<Scalar>(r.beta2), static_cast<Scalar>(r.epsilon * whole), rule.frozen});
    }
    rules_.upload(rules.data(), std::ssize(rules));
    const int pieces = static_cast<int>(pieces_.size());
    device_->launch(kernel::adamw<Scalar>{pieces, pieces_.data(), rules_.data(), gradient_.data(), mean_.data(),
                                          square_.data(), weights_.data()},
                    pieces, most_threads);
  }

 private:
  using seen_type = seen_weights<Scalar, Store>;
  static constexpr bool rounds = !std::is_same_v<Scalar, Store>;

  struct recorded {
    bool warm = false;
    std::optional<typename Device::recording> all;
  };

  /// Bytes of activations a question, with those of its adjoints.
  static index_t bytes_a_question(const sizes<>& n, int length) {
    const index_t places = n.heads > 0 ? length : 1, width = (std::max)(int{n.width}, int{n.output});
    const index_t attention = index_t{n.heads} * (n.key + n.value) * (places + 1) + 2 * places * n.width;
    const index_t all = index_t{n.attributes} + index_t{n.layers + 1} * (index_t{n.hidden} + width) + 2 * width;
    return (all + (n.heads > 0 ? attention : 0)) * static_cast<index_t>(sizeof(Store));
  }

  /// Questions of a tile: as many as the workspace holds, in whole warps, but at least one warp.
  static int checked(const sizes<>& n, const std::vector<questions>& asked, const options& how) {
    require(n.layers >= 1, "training needs a model with at least one layer");
    require_fit(n, asked);
    const index_t fitting = how.workspace / bytes_a_question(n, longest(asked)) / warp * warp;
    const index_t all = to_extent(total(asked));
    return static_cast<int>((std::min)((std::max)(fitting, index_t{warp}), all));
  }
  static int longest(const std::vector<questions>& asked) {
    int length = 0;
    for (const auto& set : asked) length = (std::max)(length, set.length);
    return length;
  }

  learner(std::shared_ptr<Device> device, const sizes<>& n, const std::vector<questions>& asked, const options& how,
          int tile)
      : device_(std::move(device)),
        n_(n),
        layout_(geofact::layout(n)),
        how_(how),
        asked_(asked),
        tile_(tile),
        all_(make_plan(n, asked_, tile)),
        pass_(*device_, n, longest(asked_), tile, how, true),
        weights_(*device_, count(), "weights"),
        mean_(*device_, count(), "means of the gradient"),
        square_(*device_, count(), "means of the squared gradient"),
        gradient_(*device_, count(), "the gradient"),
        all_ints_(*device_, all_.ints, "the questions"),
        logits_(*device_, checked_product(tile, n.attributes), "logits of a tile"),
        cross_entropy_(*device_, all_.questions, "losses"),
        recalled_(*device_, all_.questions, "recalled questions"),
        sums_(*device_, slices_of(all_.questions), "sums of losses"),
        counts_(*device_, slices_of(all_.questions), "counts of recalled questions"),
        rules_(*device_, std::ssize(layout_), "rules of the tables"),
        pieces_(*device_, pieces_of(layout_), "pieces of the tables") {
    if constexpr (rounds) rounded_ = {*device_, count(), "rounded weights"};
    if (pass_.factorises())
      dread_ = {*device_, checked_product(n.hidden, tokens()), "adjoints of the first units of all tokens"};
    if (!how.atomic) dpieces_ = {*device_, checked_product(all_.most_pieces, pass_.read_rows()), "pieces of adjoints"};
  }

  int tokens() const { return n_.entities + n_.relations + n_.positions; }
  static index_t slices_of(int questions) {
    return (questions + kernel::sum_losses<Scalar>::slice - 1) / kernel::sum_losses<Scalar>::slice;
  }
  static std::vector<kernel::piece> pieces_of(const std::vector<table>& layout) {
    std::vector<kernel::piece> pieces;
    constexpr index_t slice = kernel::adamw<Scalar>::slice;
    for (std::size_t t = 0; t < layout.size(); ++t)
      for (index_t i = 0; i < layout[t].size(); i += slice)
        pieces.push_back(
            {layout[t].offset + i, static_cast<int>((std::min)(slice, layout[t].size() - i)), static_cast<int>(t)});
    return pieces;
  }

  seen_type seen(bool noisy) const {
    const Scalar* const block = weights_.data();
    const Scalar* const front = noisy ? noisy_.data() : block;
    if constexpr (rounds)
      return {{block, front, &layout_}, {rounded_.data(), rounded_.data(), &layout_}};
    else
      return {{block, front, &layout_}, {block, front, &layout_}};
  }
  tables<Scalar> gradients() const { return {gradient_.data(), gradient_.data(), &layout_}; }
  /// The adjoint of what the questions gather.
  view<Scalar> dread() const {
    return pass_.factorises() ? view<Scalar>(dread_.data(), n_.hidden, tokens()) : gradients().tokens();
  }

  void begin(const seen_type& w) {
    if constexpr (rounds) {
      round(w.exact.block, 0, count());
      if (w.exact.embeddings != w.exact.block) round(w.exact.embeddings, 0, index_t{n_.width} * tokens());
    }
    pass_.begin(w);
  }
  void round(const Scalar* from, index_t first, index_t numbers) {
    const kernel::convert<Scalar, Store> all{numbers, from + first, rounded_.data() + first};
    device_->launch(all, all.blocks(), most_threads);
  }

  /// Logits, softmax and loss of a tile; leaves the adjoints of the logits where the scale is not 0.
  view<Store> head(const seen_type& w, const tile_plan& tile, const int* ints, Scalar scale) {
    const view<const Store> y = pass_.forward(w, tile, ints);
    const view<Store> logits(logits_.data(), n_.attributes, tile.questions);
    const view<const Store> u = w.stored[unembedding_table(n_)];
    const int* const targets = ints + tile.targets.first;
    if (how_.narrow && n_.output <= 8)
      narrow_loss<8>(u, y, logits, targets, scale, tile.first);
    else if (how_.narrow && n_.output <= 16)
      narrow_loss<16>(u, y, logits, targets, scale, tile.first);
    else if (how_.narrow && n_.output <= kernel::most_narrow)
      narrow_loss<kernel::most_narrow>(u, y, logits, targets, scale, tile.first);
    else
      wide_loss(u, y, logits, targets, scale, tile.first);
    if (scale != Scalar{0})
      multiply(*device_, logits, transposed(y), gradients()[unembedding_table(n_)], how_.tf32, true);
    return logits;
  }

  template <int Width>
  void narrow_loss(const view<const Store>& u, const view<const Store>& y, const view<Store>& logits,
                   const int* targets, Scalar scale, int first) {
    const kernel::narrow_loss<Width, Store, Scalar> all{u.rows,
                                                        y.columns,
                                                        y.rows,
                                                        u.data,
                                                        y.data,
                                                        logits.data,
                                                        targets,
                                                        scale,
                                                        cross_entropy_.data() + first,
                                                        recalled_.data() + first};
    device_->launch(all, all.blocks(), threads_for(u.rows));
  }
  void wide_loss(const view<const Store>& u, const view<const Store>& y, const view<Store>& logits, const int* targets,
                 Scalar scale, int first) {
    multiply(*device_, u, y, logits, how_.tf32);
    device_->launch(kernel::softmax_loss<Store, Scalar>{logits.rows, logits.columns, logits.data, targets, scale,
                                                        cross_entropy_.data() + first, recalled_.data() + first},
                    logits.columns, threads_for(logits.rows));
  }

  void differentiate(const plan& questions, const int* ints, const seen_type& w) {
    gradient_.zero();
    dread_.zero();
    begin(w);
    for (const tile_plan& tile : questions.tiles) {
      const view<Store> dlogits = head(w, tile, ints, static_cast<Scalar>(1.0 / questions.questions));
      multiply(*device_, transposed(w.stored[unembedding_table(n_)]), dlogits, pass_.dy(), how_.tf32);
      pass_.backward(w, gradients(), dread(), dpieces_);
    }
    pass_.end(w, gradients(), dread());
    sum(questions.questions);
  }

  /// A batch: its lists travel to the device first.
  found run(std::span<const int> batch, const seen_type& w) {
    const plan some = make_plan(n_, subset(asked_, batch), tile_);
    require(some.questions <= all_.questions, "a batch of ", some.questions, " questions is longer than all ",
            all_.questions);
    if (batch_ints_.size() < std::ssize(some.ints))
      batch_ints_ = {*device_, some.ints, "the questions of a batch"};
    else
      batch_ints_.upload(some.ints.data(), std::ssize(some.ints));
    const index_t pieces = checked_product(some.most_pieces, pass_.read_rows());
    if (!how_.atomic && dpieces_.size() < pieces) {
      recorded_[0].all.reset(), recorded_[1].all.reset();  // they know the old buffer
      dpieces_ = {*device_, pieces, "pieces of adjoints"};
    }
    differentiate(some, batch_ints_.data(), w);
    return loss_of(some.questions);
  }

  void sum(int questions) {
    device_->launch(
        kernel::sum_losses<Scalar>{questions, cross_entropy_.data(), recalled_.data(), sums_.data(), counts_.data()},
        static_cast<int>(slices_of(questions)), most_threads);
  }
  found loss_of(int questions) const {
    std::vector<Scalar> sums(static_cast<std::size_t>(slices_of(questions)));
    std::vector<int> counts(sums.size());
    sums_.download(sums.data(), std::ssize(sums));
    counts_.download(counts.data(), std::ssize(counts));
    found all{0, 0};
    for (const Scalar s : sums) all.cross_entropy += static_cast<double>(s) / questions;
    for (const int c : counts) all.recall += static_cast<double>(c) / questions;
    return all;
  }

  /// The first three tables once more, E with noise.
  void add_noise(Scalar share, const random_stream& random) {
    const index_t entities = index_t{n_.width} * n_.entities, all = index_t{n_.width} * tokens();
    const kernel::slices of{entities, (std::max)(index_t{4096}, entities / most_threads + 1)};
    if (noisy_.size() == 0) {
      noisy_ = {*device_, all, "embeddings with noise"};
      noise_sums_ = {*device_, of.number(), "sums of embeddings"};
      noise_squares_ = {*device_, of.number(), "squares of embeddings"};
    }
    const kernel::convert<Scalar, Scalar> rest{all - entities, weights_.data() + entities, noisy_.data() + entities};
    if (rest.count > 0) device_->launch(rest, rest.blocks(), most_threads);
    using sums = kernel::sum_slices<Scalar>;
    device_->launch(sums{of, weights_.data(), nullptr, noise_sums_.data()}, of.number(), most_threads);
    device_->launch(sums{of, weights_.data(), noise_sums_.data(), noise_squares_.data()}, of.number(), most_threads);
    device_->launch(kernel::add_noise<Scalar>{of, weights_.data(), noise_squares_.data(), share, random, noisy_.data()},
                    of.number(), most_threads);
  }

  std::shared_ptr<Device> device_;  // first: the buffers go before it
  sizes<> n_;
  std::vector<table> layout_;
  options how_;
  std::vector<questions> asked_;
  int tile_, updates_ = 0;
  plan all_;
  pass<Scalar, Store, Device> pass_;
  buffer<Scalar, Device> weights_, mean_, square_, gradient_;
  buffer<int, Device> all_ints_;
  buffer<Store, Device> logits_;
  buffer<Scalar, Device> cross_entropy_;
  buffer<int, Device> recalled_;
  buffer<Scalar, Device> sums_;
  buffer<int, Device> counts_;
  buffer<kernel::adamw_rule<Scalar>, Device> rules_;
  buffer<kernel::piece, Device> pieces_;
  buffer<Store, Device> rounded_;
  buffer<Scalar, Device> dread_, dpieces_, noisy_, noise_sums_, noise_squares_;
  buffer<int, Device> batch_ints_;
  recorded recorded_[2];  // without and with noise
};

}  // namespace geofact::gpu
