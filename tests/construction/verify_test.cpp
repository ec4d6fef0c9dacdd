#include "geofact/construction/verify.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <vector>

#include "../support.hpp"
#include "examine.hpp"
#include "geofact/code/binary.hpp"
#include "geofact/code/parity.hpp"
#include "geofact/code/random_sign.hpp"
#include "geofact/construction/chain_of_thought.hpp"
#include "geofact/construction/single_hop.hpp"
#include "geofact/fact/graph.hpp"

namespace verify_test {

using namespace geofact;

namespace {

const verify_options by_sign{.how = decoder::sign}, by_argmax{.how = decoder::argmax};

/// What becomes of one question, by one loop over the logits.
void judge_naively(const parameters<double>& model, const std::vector<int>& tokens, int expected, attribute_range range,
                   tally& found) {
  const auto logits = naive::times(model, "unembedding", model.attributes(), naive::output(model, tokens));
  double own = -1e300, rival = range.size() == 1 ? 0 : -1e300;
  for (int a = range.first; a < range.last; ++a) {
    const double logit = logits[static_cast<std::size_t>(a)];
    if (a == expected)
      own = logit;
    else
      rival = std::max(rival, logit);
  }
  const bool answers = std::max(own, rival) > model.abstain;
  if (!answers)
    ++(expected == unknown ? found.unknown : found.wrong);
  else if (expected == unknown || own < rival)
    ++found.wrong;
  else if (own == rival)
    ++found.ties;
  else
    found.add(outcome{outcome::recalled, own - rival});
}

/// All questions to a model that answers at once, one by one.
tally examine_naively(const parameters<double>& model, const fact_table<>& facts, int hops) {
  tally found;
  const path_set<> paths{facts.relations(), hops};
  for (int w = 0; w < paths.size(); ++w)
    for (int s = 0; s < facts.subjects(); ++s) {
      std::vector<int> tokens{s};
      for (int hop = 0; hop < hops; ++hop)
        tokens.push_back(model.entities() + hop * facts.relations() + paths.step(w, hop));
      judge_naively(model, tokens, follow(facts, s, paths, w), facts.codomain(paths.step(w, hops - 1)), found);
    }
  return found;
}

void check_counts(const verification& found, const tally& expected) {
  CAPTURE(found);
  CHECK(found.recalled == expected.recalled);
  CHECK(found.wrong == expected.wrong);
  CHECK(found.ties == expected.ties);
  CHECK(found.unknown == expected.unknown);
}

/// Adds noise to all weights but the unembedding's.
template <class Scalar>
parameters<Scalar> disturbed(parameters<Scalar> model, double size, std::uint64_t seed) {
  const random_stream random(seed);
  for (geofact::index_t i = 0; i < model.tables().back().offset; ++i)
    model.block()[i] += static_cast<Scalar>(size * random.normal(static_cast<std::uint64_t>(i)));
  return model;
}

}  // namespace

TEST_CASE("verify counts recalled, wrong, ties and unknown as a loop over the questions does: one weight flipped") {
  int wrong = 0, ties = 0;
  for (double missing : {0.0, 0.3}) {
    const auto facts = random_functions(10, 13, {.relations = 2, .missing = missing, .seed = 1});
    for (int hops : {1, 2}) {
      const auto whole = realize<double>(tree(binary_code(13), 2, hops), facts);
      const random_stream random(7);
      for (std::uint64_t flip = 0; flip < 60; ++flip) {
        auto model = whole;
        const int at = random.below(static_cast<int>(model.count()), flip);
        model.block()[at] = flip % 2 == 0 ? -model.block()[at] : 1 - model.block()[at];
        CAPTURE(flip);
        const auto expected = examine_naively(model, facts, hops);
        const auto found = examine(model, facts, by_argmax);
        check_counts(found, expected);
        CHECK(found.margin == expected.margin);
        wrong += expected.wrong > 0, ties += expected.ties > 0;
      }
    }
  }
  CHECK(wrong > 20);
  CHECK(ties > 20);
}

TEST_CASE("verify agrees with the loop for disjoint attributes and for models that are no construction") {
  auto own = fact_table<>::disjoint(6, {1, 3, 5});
  for (int s = 0; s < 6; ++s)
    for (int r = 0; r < 3; ++r)
      if ((s + r) % 4 != 0) own.set(s, r, own.codomain(r).first + s % own.codomain(r).size());
  const auto model = realize<double>(disjoint_single_hop(own), own);
  for (double noise : {0.0, 0.2, 0.5}) {
    const auto noisy = disturbed(model, noise, 3);
    const auto expected = examine_naively(noisy, own, 1);
    const auto found = examine(noisy, own);
    check_counts(found, expected);
    CHECK(found.margin == doctest::Approx(expected.margin));
  }
  const auto facts = random_functions(6, 6, {.relations = 2, .missing = 0.2, .seed = 2});
  std::uint64_t seed = 0;
  for (int heads : {0, 1})
    for (int layers : {0, 1, 2})
      for (int residual : {0, 1})
        for (int positions : {0, 3}) {
          if (heads > 0 && positions > 0) continue;  // that is a chain of thought
          sizes<> n;
          n.entities = 6, n.relations = 4, n.positions = positions, n.width = 5, n.hidden = 7, n.layers = layers;
          n.output = 3, n.attributes = 6, n.heads = heads, n.key = 2, n.value = 3, n.residual = residual;
          parameters<double> random(n);
          naive::randomize(random, ++seed, 0.8);
          random.abstain = 0.5;
          CAPTURE(seed);
          check_counts(examine(random, facts), examine_naively(random, facts, 2));
        }
}

TEST_CASE("a chain of thought is recalled where every step is: verify agrees with greedy decoding on noisy models") {
  const auto facts = random_functions(12, 15, {.relations = 2, .missing = 0.1, .seed = 3});
  const auto whole = realize<double>(chain_of_thought_with_margin(binary_code(15), 2, binary_code(3)), facts);
  for (double noise : {0.0, 0.02, 0.1, 0.3}) {
    CAPTURE(noise);
    const auto model = disturbed(whole, noise, 5);
    const auto found = examine(model, facts, by_argmax);
    geofact::index_t recalled = 0, silent = 0;
    const path_set<> paths{2, 3};
    for (int w = 0; w < paths.size(); ++w) {
      const std::vector<int> path{paths.step(w, 0), paths.step(w, 1), paths.step(w, 2)};
      for (int s = 0; s < 12; ++s) {
        bool right = true;
        int hops = 0;
        const auto thoughts = ask_chain(model, {s}, path);
        for (int now = s; hops < 3 && right && now != unknown; ++hops) {
          now = facts(now, path[static_cast<std::size_t>(hops)]);
          right = thoughts[static_cast<std::size_t>(hops)][0].attribute == now;
        }
        if (right) ++(follow(facts, s, paths, w) == unknown ? silent : recalled);
      }
    }
    CHECK(found.recalled == recalled);
    CHECK(found.unknown == silent);
    CHECK(found.wrong + found.ties == 96 - recalled - silent);
    CHECK((noise > 0 || found.exact()));
    CHECK((noise < 0.3 || found.wrong > 0));
    CHECK((noise > 0.05 || found.recalled > 0));
  }
}

TEST_CASE("sign decoding counts as argmax does, on exact and on noisy models, and never claims a larger margin") {
  const auto check = [](const auto& c, const fact_table<>& facts) {
    for (double noise : {0.0, 0.01, 0.1, 0.2, 0.3, 0.5}) {
      CAPTURE(noise);
      const auto model = disturbed(realize<double>(c, facts), noise, 11);
      const auto sign = examine(model, facts, by_sign), all = examine(model, facts, by_argmax);
      check_counts(sign, all);
      CHECK(sign.margin <= all.margin + 1e-9);
      CHECK(sign.how == decoder::sign);
      CHECK(all.how == decoder::argmax);
      if (noise == 0) CHECK(sign.exact());
    }
    const auto model = disturbed(realize<float>(c, facts), 0.25, 12);
    check_counts(examine(model, facts, by_sign), examine(model, facts, by_argmax));
  };
  for (int attributes : {1, 2, 3, 16, 50})
    for (double missing : {0.0, 0.2}) {
      CAPTURE(attributes);
      const auto facts = random_functions(20, attributes, {.relations = 3, .missing = missing, .seed = 4});
      check(tree(binary_code(attributes), 3), facts);
      check(tree(parity_code(attributes), 3), facts);
      check(tree(random_sign_code(attributes, 24), 3), facts);
    }
  const auto facts = random_functions(20, 24, {.relations = 2, .missing = 0.05, .seed = 5});
  check(multi_hop(binary_code(24), 2, 2, 1, 1, 20), facts);
  check(chain_of_thought(parity_code(24), 2, binary_code(2), 4), facts);
}

TEST_CASE("on exact models sign decoding states the very margin of binary and parity codes") {
  const auto facts = random_bijections(50, {.relations = 3, .seed = 6});
  CHECK(examine(realize<int>(tree(binary_code(50), 3), facts), facts, by_sign).margin == 2);
  CHECK(examine(realize<int>(tree(parity_code(50), 3), facts), facts, by_sign).margin == 4);
}

TEST_CASE("a sample states itself, asks every subject, and follows from its seed") {
  const auto facts = random_bijections(40, {.relations = 4, .seed = 7});
  const auto whole = realize<int>(tree(binary_code(40), 4, 3), facts);
  const auto sample = examine(whole, facts, {.limit = 200});
  CHECK(sample.possible == 40 * 64);
  CHECK(sample.questions() == 200);
  CHECK(sample.sampled());
  std::ostringstream said;
  said << sample;
  CHECK(said.str() == "200 of 200 recalled, margin 2 (a sample of 2560 questions)");
  CHECK(examine(whole, facts, {.limit = 1}).questions() == 40);
  CHECK(examine(whole, facts, {.limit = 2560}).questions() == 2560);
  CHECK_FALSE(examine(whole, facts, {.limit = 2560}).sampled());
  for (int s = 0; s < 40; ++s) {  // whoever is damaged, the smallest sample finds out
    auto damaged = whole;
    damaged.entity().col(s) *= -1;
    CHECK_FALSE(examine(damaged, facts, {.limit = 1}).exact());
  }
  auto damaged = whole;
  damaged.entity().topRows(100).setZero();
  const auto one = examine(damaged, facts, {.limit = 200, .seed = 1});
  CHECK(one.wrong == examine(damaged, facts, {.limit = 200, .seed = 1}).wrong);
  CHECK((0 < one.wrong && one.wrong < 200));
}

TEST_CASE("what verify finds does not depend on the number of threads, and progress reaches 1 without going back") {
  const auto facts = random_functions(3000, 3000, {.relations = 2, .missing = 0.1, .seed = 8});
  auto model = realize<int>(tree(binary_code(3000), 2, 2), facts);
  model.entity().rightCols(50) *= -1;
  std::vector<verification> all;
  for (int threads : {1, 2, 3, 8}) {
    double done = 0;
    bool grows = true;
    const auto progress = [&](double share) { grows = grows && share > done, done = share; };
    for (double limit : {1e9, 4000.0})
      all.push_back(examine(model, facts,
                            {.how = decoder::sign,
                             .limit = limit,
                             .threads = threads,
                             .progress = limit > 1e8 ? progress : std::function<void(double)>()}));
    CHECK(done == 1);
    CHECK(grows);
  }
  for (std::size_t i = 2; i < all.size(); ++i) {
    check_counts(all[i], all[i % 2]);
    CHECK(all[i].margin == all[i % 2].margin);
  }
  CHECK(all[0].wrong > 0);
  CHECK_THROWS_AS(examine(model, facts, {.threads = -1}), error);
  const auto stop = [](double) { throw error("stopped"); };
  CHECK_THROWS_WITH_AS(examine(model, facts, {.threads = 2, .progress = stop}), "stopped", error);
}

}  // namespace verify_test
