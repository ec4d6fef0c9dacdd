#include "geofact/model/parameters.hpp"

#include <doctest/doctest.h>

#include <climits>
#include <set>
#include <string>
#include <vector>

#include "geofact/model/sparse_parameters.hpp"

namespace parameters_test {

using namespace geofact;

namespace {

sizes<> small() {
  sizes<> n;
  n.entities = 5, n.relations = 3, n.positions = 4, n.width = 7, n.hidden = 6, n.layers = 2, n.output = 4;
  n.attributes = 9, n.heads = 2, n.key = 3, n.value = 2;
  return n;
}

constexpr shape fixed_shape{5, 3, 4, 7, 6, 2, 4, 9, 2, 3, 2, 0};

std::vector<std::string> names(const std::vector<table>& tables) {
  std::vector<std::string> all;
  for (const auto& t : tables) all.push_back(t.name);
  return all;
}

/// The message of the error that these sizes give.
std::string refusal(const sizes<>& n) {
  try {
    parameters<float> model(n);
  } catch (const error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("the tables of a model have their names and tile its block exactly, whatever its sizes") {
  for (int heads : {0, 1, 3})
    for (int layers : {0, 1, 3})
      for (int positions : {0, 4}) {
        auto n = small();
        n.heads = heads, n.layers = layers, n.positions = positions;
        const parameters<float> model(n);
        geofact::index_t end = 0;
        for (const auto& t : model.tables()) {
          CAPTURE(t.name);
          CHECK(t.offset == end);
          end += geofact::index_t{t.rows} * t.columns;
        }
        CHECK(end == model.count());
        CHECK(model.block().size() == end);
        CHECK(model.tables().back().name == "unembedding");
        const auto all = names(model.tables());
        CHECK(std::set<std::string>(all.begin(), all.end()).size() == all.size());
        // by hand: entity, relation, position; heads; hidden layers (the last one writes 4 coordinates); unembedding
        const int hidden = layers == 0 ? 0 : (layers - 1) * (6 * 7 + 6 + 7 * 6 + 7) + 6 * 7 + 6 + 4 * 6 + 4;
        CHECK(end == 7 * 5 + 7 * 3 + 7 * positions + heads * (2 * 3 * 7 + 2 * 2 * 7) + hidden + 9 * 4);
        CHECK(model.block().isZero());
      }
  CHECK(names(layout(small())) ==
        std::vector<std::string>{"entity",        "relation",      "position",     "head.0.query", "head.0.key",
                                 "head.0.value",  "head.0.output", "head.1.query", "head.1.key",   "head.1.value",
                                 "head.1.output", "layer.0.w1",    "layer.0.b1",   "layer.0.w2",   "layer.0.b2",
                                 "layer.1.w1",    "layer.1.b1",    "layer.1.w2",   "layer.1.b2",   "unembedding"});
}

TEST_CASE("each view is its own part of the block") {
  parameters<int> model(small());
  const auto count = [&](auto&& view, int mark) {
    const geofact::index_t before = (model.block().array() != 0).count();
    view.setConstant(mark);
    return (model.block().array() != 0).count() - before == view.size() &&
           (model.block().array() == mark).count() == view.size();
  };
  CHECK(count(model.entity(), 1));
  CHECK(count(model.relation(), 2));
  CHECK(count(model.position(), 3));
  for (int i = 0; i < 2; ++i) {
    CHECK(count(model.head_query(i), 10 + i));
    CHECK(count(model.head_key(i), 12 + i));
    CHECK(count(model.head_value(i), 14 + i));
    CHECK(count(model.head_output(i), 16 + i));
    CHECK(count(model.w1(i), 20 + i));
    CHECK(count(model.b1(i), 22 + i));
    CHECK(count(model.w2(i), 24 + i));
    CHECK(count(model.b2(i), 26 + i));
  }
  CHECK(count(model.unembedding(), 30));
  CHECK((model.block().array() != 0).all());
  CHECK(model.w2(0).rows() == 7);
  CHECK(model.w2(1).rows() == 4);
}

TEST_CASE("static and dynamic sizes give the same block, and static ones are stored nowhere") {
  parameters<float, fixed_shape> fixed(sizes<fixed_shape>{});
  const parameters<float> free(small());
  REQUIRE(fixed.count() == free.count());
  for (std::size_t t = 0; t < free.tables().size(); ++t) {
    CHECK(fixed.tables()[t].name == free.tables()[t].name);
    CHECK(fixed.tables()[t].offset == free.tables()[t].offset);
  }
  static_assert(sizeof(sizes<fixed_shape>) <= 12 && sizeof(sizes<>) == 12 * sizeof(int));
  static_assert(decltype(fixed.entity())::RowsAtCompileTime == 7 && decltype(fixed.w1(0))::RowsAtCompileTime == 6);
  fixed.w2(1)(3, 5) = 8;
  CHECK(fixed.block()[fixed.tables()[17].offset + 5 * 4 + 3] == 8);
}

TEST_CASE("a copy of a model is independent of it") {
  parameters<double> one(small());
  one.entity()(0, 0) = 1;
  parameters<double> other = one;
  other.entity()(0, 0) = 2;
  other.abstain = 3;
  CHECK(one.entity()(0, 0) == 1);
  CHECK(one.abstain == std::numeric_limits<double>::lowest());
  one = other;
  other.unembedding()(8, 3) = 4;
  CHECK(one.entity()(0, 0) == 2);
  CHECK(one.unembedding()(8, 3) == 0);
}

TEST_CASE("sizes that contradict each other are refused in a sentence") {
  auto n = small();
  n.width = 0;
  CHECK(refusal(n) == "a model needs a width and an output of at least 1, got 0 and 4");
  n = small(), n.output = 0;
  CHECK(refusal(n) == "a model needs a width and an output of at least 1, got 7 and 0");
  n = small(), n.residual = 1, n.output = 8;
  CHECK(refusal(n) == "this model reads its output of 8 off a stream that is only 7 wide");
  n = small(), n.layers = 0, n.output = 8;
  CHECK(refusal(n) == "this model reads its output of 8 off a stream that is only 7 wide");
  n = small(), n.residual = 2;
  CHECK(refusal(n) == "a model is residual (1) or not (0), not 2");
  n = small(), n.residual = 1;
  CHECK(refusal(n) == "");
  CHECK_THROWS_AS(static_cast<void>(sizes<fixed_shape>{6}), error);
}

TEST_CASE("models beyond the memory or beyond 64 bits are refused before anything is allocated") {
  auto n = small();
  n.entities = INT_MAX, n.width = 1 << 20;
  CHECK(refusal(n).starts_with("the parameters of this model would take "));
  n = small(), n.entities = INT_MAX, n.relations = INT_MAX, n.positions = INT_MAX, n.width = INT_MAX;
  CHECK(refusal(n).ends_with(" overflows"));
  n = small(), n.layers = INT_MAX;
  CHECK(refusal(n).find("this machine has ") != std::string::npos);
  n = small(), n.heads = INT_MAX;
  CHECK(refusal(n).find("this machine has ") != std::string::npos);
}

TEST_CASE("a sparse model counts the weights that it stores") {
  auto n = small();
  n.heads = 0, n.positions = 0;
  sparse_parameters<int> model(n);
  const int outside = 7 * 5 + 7 * 3 + 7 + 4 + 9 * 4, biases = 2 * 6;
  CHECK(model.hidden() == 6);
  CHECK(model.count() == outside + biases);
  model.w1(0).insert(2, 3) = 5;
  model.w2(1).insert(3, 5) = 5;
  CHECK(model.count() == outside + biases + 2);
}

}  // namespace parameters_test
