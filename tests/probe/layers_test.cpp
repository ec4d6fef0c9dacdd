#include "geofact/probe/layers.hpp"

#include <doctest/doctest.h>

#include "../io/files.hpp"
#include "geofact/fact/wide_table.hpp"
#ifdef GEOFACT_HAS_INSTANCES
  #include "geofact/instances.hpp"
#endif

namespace layers_test {

using namespace geofact;
using namespace geofact::probe;
using doctest::Approx;

namespace {

constexpr int subjects = 60;

std::string name_of_subject(int s) { return "subject " + std::to_string(s); }

/// Facts with a relation of 3 kinds, one of 4 kinds, and one whose answers are all different.
std::string facts_text() {
  std::string text = "name\tkind\tsort\tcode\n";
  for (int s = 0; s < subjects; ++s)
    text += name_of_subject(s) + "\tkind " + std::to_string(random_stream(1).below(3, static_cast<std::uint64_t>(s))) +
            "\tsort " + std::to_string(random_stream(2).below(4, static_cast<std::uint64_t>(s))) + "\tcode " +
            std::to_string(s) + '\n';
  return text;
}

/// Layer 0 is noise; layer 1 holds the kind and the code's vector, and knows nothing of the sort.
struct made_states {
  files::temporary_folder folder;
  std::string path = folder / "states.safetensors";
  knowledge known = parse_facts(facts_text(), "facts");

  explicit made_states(int with_states = subjects) {
    const matrix<float> noise = random_like(matrix<float>(12, subjects), 5);
    const matrix<float> codes = random_like(matrix<float>(5, subjects), 6);  // of the answers of `code`
    const auto has_kind = [&](int s, int i) {
      const auto& kind = known.attributes[static_cast<std::size_t>(known.facts(s, 0))];
      return kind == "kind " + std::to_string(i) ? 1.0F : 0.0F;
    };
    std::vector<float> states;
    std::string names, answers;
    for (int layer = 0; layer < 2; ++layer)
      for (int s = 0; s < with_states; ++s)
        for (int i = 0; i < 12; ++i)
          states.push_back(layer == 0 ? noise(i, s) : i < 3 ? has_kind(s, i) : i < 8 ? codes(i - 3, s) : noise(i, s));
    for (int s = 0; s < with_states; ++s)
      names += name_of_subject(s) + '\n', answers += "code " + std::to_string(s) + '\n';
    const matrix<float> rows = codes.leftCols(with_states).transpose();
    const tensor_view all("states", element::f32, {2, with_states, 12}, false,
                          reinterpret_cast<const std::byte*>(states.data()));
    write_safetensors(path, {{"states", all, element::f16}, {"answers", rows}},
                      {{"subjects", names}, {"answers", answers}, {"layers", "0,7"}});
  }
};

}  // namespace

TEST_CASE("the layer that holds a relation is found, by classes and by the map; its controls know nothing") {
  const made_states made;
  const hidden_states file(made.path);
  index_t steps = 0;
  const auto report = probe_layers(file, made.known, {.progress = [&](index_t, index_t) { ++steps; }});
  CHECK(steps == 2);
  CHECK(report.subjects == subjects);
  REQUIRE(report.layers.size() == 2);
  const auto& [name, classes, map, sums] = report.layers[1];
  CHECK(name == "7");
  REQUIRE(classes[0].has_value());
  CHECK(classes[0]->real.recall == 1);
  CHECK(classes[0]->control() < 0.6);
  CHECK(std::abs(classes[1]->excess()) < 0.25);
  CHECK_FALSE(classes[2].has_value());  // each code is of one subject
  REQUIRE(map[2].has_value());
  CHECK(map[2]->real.recall > 0.95);
  CHECK(map[2]->shuffled.mean < 0.1);
  CHECK_FALSE(map[0].has_value());  // the kinds have no vectors
  CHECK(sums.r2 > report.layers[0].superposition.r2 + 0.01);
  CHECK(report.layers[0].map[2]->real.recall < 0.15);
  CHECK(report.best_layer(0, &layer_figures::classes) == 1);
  CHECK(report.best_layer(2, &layer_figures::map) == 1);
  CHECK(report.best_layer(2, &layer_figures::classes) == -1);
  REQUIRE(report.warnings.size() >= 3);
  CHECK(report.warnings[0] == "\"code\": no classes, as at most 5 subjects share an answer with another one");
  CHECK(report.warnings[1] == "\"kind\": no map, as at most 5 of its facts have a vector for the answer");
}

TEST_CASE("subjects without facts and without states are listed, the others are measured") {
  made_states made(50);
  std::string text = facts_text();
  const std::string gone = name_of_subject(7);
  text.erase(text.find(gone + '\t'), text.find('\n', text.find(gone + '\t')) + 1 - text.find(gone + '\t'));
  const auto known = parse_facts(text, "facts");
  const hidden_states file(made.path);
  const auto report = probe_layers(file, known, {.layers = {1}});
  CHECK(report.subjects == 49);
  CHECK(report.without_facts == std::vector<std::string>{gone});
  CHECK(report.without_states.size() == 10);
  CHECK(report.layers[0].classes[0]->real.recall == 1);
  CHECK(report.layers[0].classes[0]->subjects == 49);
}

TEST_CASE("other subjects, layers that are not there and too few subjects are refused") {
  const made_states made;
  const hidden_states file(made.path);
  CHECK_THROWS_WITH_AS(probe_layers(file, parse_facts("name\tkind\nx\tp\ny\tq\n", "facts")),
                       doctest::Contains("has facts"), error);
  CHECK_THROWS_WITH_AS(probe_layers(file, made.known, {.layers = {2}}), "layer 2 is not among the 2 layers of the file",
                       error);
  CHECK_THROWS_WITH_AS(
      probe_layers(file, parse_facts("name\tkind\nsubject 1\tp\nsubject 2\tp\nsubject 3\tq\n", "facts")),
      doctest::Contains("no relation can be probed"), error);
}

TEST_CASE("many classes are written in codes that are nearly orthogonal") {
  CHECK(class_codes(5).isIdentity());
  const matrix<float> codes = class_codes(700);
  CHECK(codes.rows() == 256);
  CHECK(codes.colwise().norm().isOnes(1e-5F));
  CHECK((codes.transpose() * codes - matrix<float>::Identity(700, 700)).cwiseAbs().maxCoeff() < 0.4F);
}

}  // namespace layers_test
