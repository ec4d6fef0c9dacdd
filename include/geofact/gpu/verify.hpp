#pragma once
#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "geofact/construction/verify.hpp"
#include "geofact/gpu/reader.hpp"

namespace geofact::gpu {

/// A model of floating-point scalars on a device, to be asked: constructions as well as what was trained.
/// `Store`: what activations are stored as.
template <class Model, device Device, class Store = typename Model::Scalar>
class basic_recall {
 public:
  using Scalar = typename Model::Scalar;

  /// Throws where the device has no room, and for questions longer than `length` tokens later.
  explicit basic_recall(const Model& model, const options& how = {},
                        std::shared_ptr<Device> device = std::make_shared<Device>())
      : n_(run_time(model.extents())),
        abstain_(model.abstain),
        length_((std::max)(model.positions(), model.relations() + 1)),
        reader_(std::move(device), n_, n_.heads > 0 ? length_ : 1, how) {
    static_assert(std::floating_point<Scalar>, "devices compute with floating-point scalars");
    reader_.load(model.block().data());
  }

  /// ask_direct on the device.
  std::vector<answer> ask_direct(const std::vector<int>& subjects, std::span<const int> path, attribute_range range) {
    const int hops = static_cast<int>(path.size());
    require(hops >= 1 && n_.relations % hops == 0, "a model of ", int{n_.relations}, " relation tokens cannot answer ",
            hops, " hops at once");
    geofact::detail::require_among(subjects, n_.entities);
    geofact::detail::require_among(path, n_.relations / hops);
    questions asked{hops + 1, {}, {}};
    for (int s : subjects) add_direct(asked, s, path, n_.relations / hops, 0);
    std::vector<answer> answers;
    for (const auto& b : reader_.ask(asked, range.first, range.last)) answers.push_back(as_answer(b, range.size()));
    return answers;
  }

  /// ask_chain on the device.
  std::vector<std::vector<answer>> ask_chain(const std::vector<int>& subjects, std::span<const int> path) {
    geofact::detail::require_among(subjects, n_.entities);
    geofact::detail::require_among(path, n_.relations);
    const std::size_t hops = path.size(), k = static_cast<std::size_t>(n_.positions / 2);
    require(1 <= hops && hops <= k, "a chain of thought over ", k, " hops cannot answer ", hops);
    std::vector<int> prompt;
    for (std::size_t hop = 0; hop < k; ++hop) prompt.push_back(n_.entities + path[(std::min)(hop, hops - 1)]);
    std::vector<std::vector<answer>> thoughts;
    const auto asks_on = [&](const answer& a) { return a.attribute != unknown && a.attribute < n_.entities; };
    for (const auto& step : reader_.think(prompt, subjects, static_cast<int>(hops), abstain_)) {
      std::vector<answer> answers;
      for (std::size_t q = 0; q < step.size(); ++q)
        answers.push_back(thoughts.empty() || asks_on(thoughts.back()[q]) ? as_answer(step[q], n_.attributes)
                                                                          : answer{});
      thoughts.push_back(std::move(answers));
    }
    return thoughts;
  }

  /// verify on the device, by argmax.
  template <int R>
  verification verify(const fact_table<R>& facts, const verify_options& options = {}) {
    const auto exam = geofact::detail::plan_exam(n_, n_.hidden, facts, options);
    verification result;
    result.possible = exam.possible;
    batch now(exam.chain ? exam.paths.hops : 1);
    for (index_t t = 0; t < exam.tiles; ++t) {
      const auto first = static_cast<int>(t * exam.tile);
      const int last = (std::min)(first + static_cast<int>(exam.tile), facts.subjects());
      exam.paths.for_each(t, [&](const std::vector<int>& path) {
        for (int s = first; s < last; ++s)
          if (exam.chain)
            add_chain(now, facts, s, path);
          else
            add_direct(now, facts, s, path);
        if (std::ssize(now.outcomes) >= at_once) finish(now, result);
      });
      if (options.progress) options.progress(static_cast<double>(last) / facts.subjects());
    }
    finish(now, result);
    return result;
  }

 private:
  static constexpr index_t at_once = index_t{1} << 16;
  static constexpr outcome all_right{outcome::recalled, std::numeric_limits<double>::infinity()};

  /// Questions that wait, by their number of tokens and the attributes that may answer.
  struct waiting {
    questions asked;
    attribute_range range;
    std::vector<std::size_t> outcome;  // of which question each is a part
  };
  struct batch {
    explicit batch(int thoughts) : parts(static_cast<std::size_t>(thoughts)) {}
    std::vector<std::vector<waiting>> parts;  // [thought][range]
    std::vector<outcome> outcomes;

    waiting& part(int thought, int length, attribute_range range) {
      auto& all = parts[static_cast<std::size_t>(thought)];
      for (auto& one : all)
        if (one.range == range) return one;
      all.push_back({{length, {}, {}}, range, {}});
      return all.back();
    }
  };

  void add_direct(questions& to, int subject, std::span<const int> path, int relations, int target) const {
    std::vector<int> tokens{subject};
    for (std::size_t hop = 0; hop < path.size(); ++hop)
      tokens.push_back(n_.entities + static_cast<int>(hop) * relations + path[hop]);
    to.add(tokens, target);
  }
  template <int R>
  void add_direct(batch& now, const fact_table<R>& facts, int subject, const std::vector<int>& path) const {
    waiting& to = now.part(0, static_cast<int>(path.size()) + 1, facts.codomain(path.back()));
    add_direct(to.asked, subject, path, facts.relations(), follow(facts, subject, path));
    to.outcome.push_back(now.outcomes.size());
    now.outcomes.push_back(all_right);
  }
  /// Each thought is a question whose earlier thoughts are right: those are the model's own wherever it still counts.
  template <int R>
  void add_chain(batch& now, const fact_table<R>& facts, int subject, const std::vector<int>& path) const {
    std::vector<int> tokens;
    for (int r : path) tokens.push_back(n_.entities + r);
    int entity = subject;
    const std::size_t mine = now.outcomes.size();
    now.outcomes.push_back(all_right);
    for (std::size_t hop = 0; hop < path.size() && entity != unknown; ++hop) {
      tokens.push_back(entity);
      entity = facts(entity, path[hop]);
      waiting& to = now.part(static_cast<int>(hop), static_cast<int>(tokens.size()), {0, n_.attributes});
      to.asked.add(tokens, entity);
      to.outcome.push_back(mine);
    }
  }
  /// Asks what waits, thought by thought; the first thought that is not recalled decides.
  void finish(batch& now, verification& result) {
    for (auto& thought : now.parts) {
      for (const waiting& part : thought) {
        const auto duels = reader_.compare(part.asked, part.range.first, part.range.last);
        for (std::size_t i = 0; i < duels.size(); ++i) {
          outcome& all = now.outcomes[part.outcome[i]];
          if (all.what != outcome::recalled) continue;
          const Scalar rival = part.range.size() == 1 ? (std::max)(duels[i].rival, Scalar{0}) : duels[i].rival;
          const outcome one = decide(part.asked.targets[i], duels[i].own, rival, abstain_);
          all = {one.what, (std::min)(all.margin, one.margin)};
        }
      }
      thought.clear();
    }
    for (const outcome& one : now.outcomes) result.add(one);
    now.outcomes.clear();
  }

  answer as_answer(const kernel::best<Scalar>& b, int attributes) const {
    const Scalar second = attributes == 1 ? Scalar{0} : b.second;
    return {b.top > abstain_ ? b.attribute : unknown, static_cast<double>(b.top),
            static_cast<double>(b.top) - static_cast<double>(second)};
  }

  sizes<> n_;
  Scalar abstain_;
  int length_;
  reader<Scalar, Store, Device> reader_;
};

}  // namespace geofact::gpu
