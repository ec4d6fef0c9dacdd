#pragma once
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "geofact/gpu/kernel/answer.hpp"
#include "geofact/gpu/pass.hpp"

namespace geofact::gpu {

/// Asks a model on a device; without Eigen, as learner is.
template <class Scalar, class Store, device Device>
class reader {
 public:
  using best = kernel::best<Scalar>;
  using duel = kernel::duel<Scalar>;

  /// Room for questions of at most `length` tokens. Throws where the device has none, with the sizes.
  reader(std::shared_ptr<Device> device, const sizes<>& n, int length, const options& how)
      : device_(std::move(device)),
        n_(n),
        layout_(geofact::layout(n)),
        how_(how),
        length_(length),
        tile_(tile_of(n, length, how)),
        pass_(*device_, n, length, tile_, how, false),
        weights_(*device_, weights_in(layout_), "weights"),
        logits_(*device_, checked_product(tile_, n.attributes), "logits of a tile"),
        answers_(*device_, tile_, "answers"),
        duels_(*device_, tile_, "comparisons") {
    if constexpr (rounds) rounded_ = {*device_, weights_in(layout_), "rounded weights"};
  }

  /// The weights to ask.                                              // (all tables)
  void load(const Scalar* weights) {
    weights_.upload(weights, weights_.size());
    if constexpr (rounds) {
      const kernel::convert<Scalar, Store> all{weights_.size(), weights_.data(), rounded_.data()};
      device_->launch(all, all.blocks(), most_threads);
    }
    pass_.begin(seen());
  }

  /// For each question the logit of its target (negative: none) and the best other one, among the attributes of first
  /// .. last - 1.
  std::vector<duel> compare(const questions& asked, int first, int last) {
    std::vector<duel> all(static_cast<std::size_t>(asked.size()));
    for_each_tile(asked, [&](const tile_plan& tile, const int* ints, const view<const Store>& y) {
      const view<Store> logits = score(y, first, last);
      device_->launch(kernel::find_rival<Store, Scalar>{logits.rows, logits.columns, first, logits.data,
                                                        ints + tile.targets.first, duels_.data()},
                      logits.columns, threads_for(logits.rows));
      duels_.download(all.data() + tile.first, tile.questions);
    });
    return all;
  }

  /// The best attribute of each question.
  std::vector<best> ask(const questions& asked, int first, int last) {
    std::vector<best> all(static_cast<std::size_t>(asked.size()));
    for_each_tile(asked, [&](const tile_plan& tile, const int*, const view<const Store>& y) {
      find(score(y, first, last), first);
      answers_.download(all.data() + tile.first, tile.questions);
    });
    return all;
  }

  /// Greedy decoding under learned attention: the tokens `prompt`, the same in all sequences, one subject each, and
  /// what the model answers, `thoughts` times. Keys, values and the answers that are fed back stay on the device.
  /// [thought][sequence]; after an answer that is unknown or no entity the later ones mean nothing.
  std::vector<std::vector<best>> think(const std::vector<int>& prompt, const std::vector<int>& subjects, int thoughts,
                                       Scalar abstain) {
    require(n_.heads > 0, "decoding on a device needs a model with learned attention");
    std::vector<std::vector<best>> all(static_cast<std::size_t>(thoughts), std::vector<best>(subjects.size()));
    require(std::ssize(prompt) + thoughts <= length_, prompt.size(), " tokens and ", thoughts,
            " thoughts are longer than ", length_);
    const int count = to_extent(std::ssize(subjects));
    for (int first = 0; first < count; first += tile_) {
      const int queries = (std::min)(tile_, count - first);
      buffer<int, Device> starts(*device_, run(queries + 1), "starts of tokens"),
          tokens(*device_, std::vector<int>(static_cast<std::size_t>(queries * each())), "tokens");
      for (int place = 0; place < static_cast<int>(prompt.size()) + thoughts; ++place) {
        const int thought = place - static_cast<int>(prompt.size());
        if (thought <= 0) {
          std::vector<int> now;
          for (int q = 0; q < queries; ++q) {
            now.push_back(thought < 0 ? prompt[static_cast<std::size_t>(place)]
                                      : subjects[static_cast<std::size_t>(first + q)]);
            if (each() == 2) now.push_back(position(place));
          }
          tokens.upload(now.data(), std::ssize(now));
        } else {
          const kernel::feed_back<Scalar> next{queries,         n_.entities,   abstain,
                                               answers_.data(), tokens.data(), each() == 2 ? position(place) : -1};
          device_->launch(next, next.blocks(), most_threads);
        }
        pass_.append(seen(), starts.data(), tokens.data(), queries, place);
        if (thought < 0) continue;
        find(score(pass_.answer(seen(), place), 0, n_.attributes), 0);
        answers_.download(all[static_cast<std::size_t>(thought)].data() + first, queries);
      }
    }
    return all;
  }

 private:
  static constexpr bool rounds = !std::is_same_v<Scalar, Store>;

  static int tile_of(const sizes<>& n, int length, const options& how) {
    const index_t most = 1 << 16;
    return static_cast<int>(
        (std::min)(questions_in_tile(n, length, how.workspace, static_cast<index_t>(sizeof(Store)), false), most));
  }

  int each() const { return n_.positions > 0 ? 2 : 1; }
  int position(int place) const { return n_.entities + n_.relations + place; }
  std::vector<int> run(int count) const {
    std::vector<int> starts;
    for (int q = 0; q < count; ++q) starts.push_back(q * each());
    return starts;
  }

  seen_weights<Scalar, Store> seen() const {
    const Scalar* const exact = weights_.data();
    if constexpr (rounds)
      return {{exact, exact, &layout_}, {rounded_.data(), rounded_.data(), &layout_}};
    else
      return {{exact, exact, &layout_}, {exact, exact, &layout_}};
  }

  /// Logits of a range of attributes.                                 // (output, queries) -> (range, queries)
  view<Store> score(const view<const Store>& y, int first, int last) {
    const view<const Store> u = seen().stored[unembedding_table(n_)];
    const view<Store> logits(logits_.data(), last - first, y.columns);
    multiply(*device_, view<const Store>(u.data + first, last - first, u.columns, u.stride), y, logits, how_.tf32);
    return logits;
  }
  void find(const view<Store>& logits, int first) {
    device_->launch(kernel::find_best<Store, Scalar>{logits.rows, logits.columns, first, logits.data, answers_.data()},
                    logits.columns, threads_for(logits.rows));
  }

  template <class Visit>
  void for_each_tile(const questions& asked, const Visit& visit) {
    require(n_.heads == 0 || asked.length <= length_, "questions of ", asked.length, " tokens are longer than ",
            length_);
    const plan all = make_plan(n_, {asked}, tile_, false);
    if (ints_.size() < std::ssize(all.ints))
      ints_ = {*device_, all.ints, "the questions"};
    else
      ints_.upload(all.ints.data(), std::ssize(all.ints));
    for (const tile_plan& tile : all.tiles) visit(tile, ints_.data(), pass_.forward(seen(), tile, ints_.data()));
  }

  std::shared_ptr<Device> device_;
  sizes<> n_;
  std::vector<table> layout_;
  options how_;
  int length_, tile_;
  pass<Scalar, Store, Device> pass_;
  buffer<Scalar, Device> weights_;
  buffer<Store, Device> rounded_, logits_;
  buffer<best, Device> answers_;
  buffer<duel, Device> duels_;
  buffer<int, Device> ints_;
};

}  // namespace geofact::gpu
