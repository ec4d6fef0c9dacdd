#pragma once
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "geofact/foundation/random.hpp"
#include "geofact/gpu/head.hpp"
#include "geofact/gpu/kernel/adamw.hpp"
#include "geofact/gpu/noise.hpp"
#include "geofact/gpu/pass.hpp"
#include "geofact/training/recipe.hpp"

namespace geofact::gpu {

/// Loss, gradient and AdamW of a model on a device: the one orchestration of all devices, without Eigen, so that nvcc
/// compiles it in seconds. `Store` is what activations are stored as; weights, moments and gradients are Scalars.
template <class Scalar, class Store, device Device>
class learner {
 public:
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
  found_loss gradient(std::span<const int> batch, double noise, const random_stream& random) {
    const bool noisy = noise > 0;
    if (noisy) noisy_.draw(*device_, seen(false).exact.tokens(), n_.entities, static_cast<Scalar>(noise), random);
    if (!batch.empty()) return run(batch, seen(noisy));
    // The first step also loads what the device loads late; the second one is recorded.
    if (auto& steps = recorded_[noisy]; how_.graph && steps.warm) {
      if (!steps.all) steps.all = device_->record([&] { differentiate(all_, all_ints_.data(), seen(noisy)); });
      device_->replay(*steps.all);
    } else {
      differentiate(all_, all_ints_.data(), seen(noisy));
      steps.warm = true;
    }
    return head_.found(all_.questions);
  }

  /// Loss over all questions, without noise.
  found_loss judge() {
    const auto w = seen(false);
    begin(w);
    for (const tile_plan& tile : all_.tiles) lose(w, tile, all_ints_.data(), Scalar{0});
    head_.sum(all_.questions);
    return head_.found(all_.questions);
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

  static int checked(const sizes<>& n, const std::vector<questions>& asked, const options& how) {
    require(n.layers >= 1, "training needs a model with at least one layer");
    require_fit(n, asked);
    const index_t tile = questions_in_tile(n, longest(asked), how.workspace, static_cast<index_t>(sizeof(Store)), true);
    return static_cast<int>((std::min)(tile, total(asked)));
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
        head_(*device_, n.attributes, tile, all_.questions, how),
        rules_(*device_, std::ssize(layout_), "rules of the tables"),
        pieces_(*device_, pieces_of(layout_), "pieces of the tables") {
    if constexpr (rounds) rounded_ = {*device_, count(), "rounded weights"};
    if (pass_.factorises())
      dread_ = {*device_, checked_product(n.hidden, tokens()), "adjoints of the first units of all tokens"};
    if (!how.atomic) dpieces_ = {*device_, checked_product(all_.most_pieces, pass_.read_rows()), "pieces of adjoints"};
  }

  int tokens() const { return n_.entities + n_.relations + n_.positions; }
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

  /// The losses of a tile; where the scale is not 0, adds to the adjoint of U and returns that of the logits.
  view<Store> lose(const seen_type& w, const tile_plan& tile, const int* ints, Scalar scale) {
    const int u = unembedding_table(n_);
    const view<const Store> y = pass_.forward(w, tile, ints);
    const view<Store> dlogits = head_(w.stored[u], y, ints + tile.targets.first, scale, tile.first);
    if (scale != Scalar{0}) multiply(*device_, dlogits, transposed(y), gradients()[u], how_.tf32, true);
    return dlogits;
  }

  void differentiate(const plan& questions, const int* ints, const seen_type& w) {
    gradient_.zero();
    dread_.zero();
    begin(w);
    for (const tile_plan& tile : questions.tiles) {
      const view<Store> dlogits = lose(w, tile, ints, static_cast<Scalar>(1.0 / questions.questions));
      multiply(*device_, transposed(w.stored[unembedding_table(n_)]), dlogits, pass_.dy(), how_.tf32);
      pass_.backward(w, gradients(), dread(), dpieces_);
    }
    pass_.end(w, gradients(), dread());
    head_.sum(questions.questions);
  }

  /// A batch: its lists travel to the device first.
  found_loss run(std::span<const int> batch, const seen_type& w) {
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
    return head_.found(some.questions);
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
  loss_head<Scalar, Store, Device> head_;
  buffer<kernel::adamw_rule<Scalar>, Device> rules_;
  buffer<kernel::piece, Device> pieces_;
  buffer<Store, Device> rounded_;
  buffer<Scalar, Device> dread_, dpieces_;
  noisy_embeddings<Scalar, Device> noisy_;
  buffer<int, Device> batch_ints_;
  recorded recorded_[2];  // without and with noise
};

}  // namespace geofact::gpu
