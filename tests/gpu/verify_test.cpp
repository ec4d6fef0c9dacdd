#include "geofact/gpu/verify.hpp"

#include <doctest/doctest.h>

#include "geofact/code/binary.hpp"
#include "geofact/construction/chain_of_thought.hpp"
#include "geofact/construction/realize.hpp"
#include "geofact/construction/single_hop.hpp"
#include "geofact/fact/graph.hpp"
#include "geofact/gpu/host_device.hpp"

namespace verify_test {

using namespace geofact;
using host = gpu::host_device<>;
using recall = gpu::basic_recall<parameters<double>, host>;

namespace {

void check_same(const verification& a, const verification& b) {
  CHECK(a.recalled == b.recalled);
  CHECK(a.wrong == b.wrong);
  CHECK(a.ties == b.ties);
  CHECK(a.unknown == b.unknown);
  CHECK(a.possible == b.possible);
  CHECK(a.recalled > 0);
  CHECK(a.margin == doctest::Approx(b.margin).epsilon(1e-12));
}

/// The same weights, so disturbed that some answers are wrong.
template <class Model>
Model disturbed(Model model, double by) {
  const random_stream random(3);
  for (geofact::index_t i = 0; i < model.count(); ++i)
    model.block()[i] += by * random.normal(static_cast<std::uint64_t>(i));
  return model;
}

const verify_options by_argmax{.how = decoder::argmax};

}  // namespace

TEST_CASE("a construction on a device recalls all, and so does the CPU, with the same margin") {
  const auto facts = random_bijections(40, {.relations = 3, .seed = 1});
  for (int hops : {1, 2}) {
    const auto model = realize<double>(tree(binary_code(40), 3, hops), facts);
    recall device(model, {.workspace = 1});
    const auto found = device.verify(facts);
    CHECK(found.exact());
    CHECK(found.recalled == (hops == 1 ? 120 : 360));
    CHECK(found.margin == 2);
    check_same(device.verify(facts, {.limit = 100}), verify(model, facts, {.how = decoder::argmax, .limit = 100}));
    const auto broken = disturbed(model, 0.3);
    const auto some = recall(broken).verify(facts);
    CHECK(some.wrong > 0);
    check_same(some, verify(broken, facts, by_argmax));
  }
}

TEST_CASE("missing facts, disjoint attributes and thresholds are judged as on the CPU") {
  auto facts = fact_table<>::disjoint(9, {4, 1, 5});
  for (int s = 0; s < 9; ++s)
    for (int r = 0; r < 3; ++r)
      if ((s + r) % 4 != 0) facts.set(s, r, facts.codomain(r).first + s % facts.codomain(r).size());
  const auto model = realize<double>(disjoint_single_hop(facts), facts);
  const auto found = recall(model).verify(facts);
  CHECK(found.exact());
  CHECK(found.unknown > 0);
  check_same(found, verify(model, facts, by_argmax));
  check_same(recall(disturbed(model, 0.5)).verify(facts), verify(disturbed(model, 0.5), facts, by_argmax));
}

TEST_CASE("a chain of thought is decoded on the device, fed its own answers, as on the CPU") {
  const auto facts = random_bijections(50, {.relations = 3, .seed = 1});
  const auto model = realize<double>(chain_of_thought_with_margin(binary_code(50), 3, binary_code(4)), facts);
  recall device(model, {.workspace = 1});
  CHECK(device.verify(facts).exact());
  check_same(device.verify(facts), verify(model, facts, by_argmax));
  std::vector<int> subjects;
  for (int s = 0; s < 50; ++s) subjects.push_back(s);
  for (const auto& asked : {model, disturbed(model, 0.03)}) {
    recall thinking(asked, {.workspace = 1});
    for (const std::vector<int>& path : {std::vector{2, 0, 1, 1}, {1}}) {
      const auto cpu = ask_chain(asked, subjects, path), gpu = thinking.ask_chain(subjects, path);
      REQUIRE(gpu.size() == path.size());
      for (std::size_t hop = 0; hop < path.size(); ++hop)
        for (std::size_t q = 0; q < subjects.size(); ++q) {
          CHECK(gpu[hop][q].attribute == cpu[hop][q].attribute);
          CHECK(gpu[hop][q].logit == doctest::Approx(cpu[hop][q].logit));
          CHECK(gpu[hop][q].margin == doctest::Approx(cpu[hop][q].margin));
        }
    }
    check_same(thinking.verify(facts), verify(asked, facts, by_argmax));
  }
  CHECK_THROWS_AS(device.ask_chain({50}, std::vector{0}), error);
  CHECK_THROWS_AS(device.ask_chain({0}, std::vector{3}), error);
  CHECK_THROWS_AS(device.ask_chain({0}, std::vector{0, 0, 0, 0, 0}), error);
}

TEST_CASE("questions asked at once are answered as on the CPU") {
  const auto facts = random_bijections(40, {.relations = 3, .seed = 1});
  const auto model = disturbed(realize<double>(tree(binary_code(40), 3), facts), 0.3);
  recall device(model);
  const std::vector<int> subjects{3, 0, 39}, path{2};
  for (const attribute_range range : {attribute_range{0, 40}, {10, 20}, {7, 8}}) {
    const auto cpu = ask_direct(model, subjects, path, range), gpu = device.ask_direct(subjects, path, range);
    for (std::size_t q = 0; q < subjects.size(); ++q) {
      CHECK(gpu[q].attribute == cpu[q].attribute);
      CHECK(gpu[q].margin == doctest::Approx(cpu[q].margin));
    }
  }
  CHECK_THROWS_AS(device.ask_direct({40}, path, {0, 40}), error);
  CHECK_THROWS_AS(device.ask_direct({0}, std::vector{3}, {0, 40}), error);
}

TEST_CASE("integers of a construction are exact in bfloat16 while they are small") {
  const auto facts = random_bijections(40, {.relations = 3, .seed = 1});
  const auto model = realize<float>(tree(binary_code(40), 3), facts);
  const auto found = gpu::basic_recall<parameters<float>, host, gpu::bf16>(model).verify(facts);
  CHECK(found.exact());
  CHECK(found.margin == 2);
}

TEST_CASE("a model without layers, or with attention alone, is asked on a device too") {
  for (int heads : {0, 2}) {
    CAPTURE(heads);
    const parameters<double> plain({.entities = 20,
                                    .relations = 3,
                                    .width = 7,
                                    .layers = 0,
                                    .output = 5,
                                    .attributes = 30,
                                    .heads = heads,
                                    .key = 3,
                                    .value = 4});
    const auto model = disturbed(plain, 1);
    recall device(model);
    const std::vector<int> subjects{0, 7, 19}, path{1};
    const auto cpu = ask_direct(model, subjects, path, {0, 30}), gpu = device.ask_direct(subjects, path, {0, 30});
    for (std::size_t q = 0; q < subjects.size(); ++q) {
      CHECK(gpu[q].attribute == cpu[q].attribute);
      CHECK(gpu[q].logit == doctest::Approx(cpu[q].logit));
    }
  }
}

}  // namespace verify_test
