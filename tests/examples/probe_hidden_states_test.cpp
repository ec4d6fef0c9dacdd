#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace probe_hidden_states_test {

using nlohmann::json;

namespace {

const std::string fixture = data("smollm2_countries.safetensors"), countries = data("countries.tsv");

void refuses(const std::string& arguments, const std::string& words) {
  check_refusal("probe_hidden_states", arguments, words);
}

}  // namespace

TEST_CASE("probe_hidden_states finds in a real model what it knows about countries, with controls, and draws it") {
  const scratch_file picture("", "heat.svg");
  const outcome done = run(
      "probe_hidden_states " + fixture + ' ' + countries + " --layers 0,6 --shuffles 1 --json --svg " + picture.path(),
      " 2>/dev/null");
  REQUIRE(done.code == 0);
  const json report = json::parse(done.text);
  CHECK(report.at("subjects") == 196);
  CHECK(report.at("model") == "SmolLM2-135M-Instruct Q4_1");
  REQUIRE(report.at("layers").size() == 2);
  CHECK(report["layers"][1]["layer"] == "30");
  const auto continent = [&](int layer) {
    return report["layers"][static_cast<std::size_t>(layer)]["relations"]["continent"]["classes"];
  };
  CHECK(continent(1)["recall"] > 0.85);
  CHECK(continent(1)["recall"] > continent(0)["recall"]);
  CHECK(continent(1)["shuffled"] < 0.4);
  CHECK(continent(1)["excess"] > 0.5);
  CHECK(report["layers"][1]["relations"]["calling code"]["classes"]["excess"] < 0.05);  // the majority does as well
  CHECK_FALSE(report["layers"][1]["relations"]["capital"].contains("classes"));
  CHECK(report["layers"][1]["relations"]["capital"]["map"]["recall"] < 0.1);
  CHECK(done.text.find("null") == std::string::npos);
  std::ifstream file(picture.path());
  const std::string svg{std::istreambuf_iterator<char>(file), {}};
  CHECK(svg.starts_with("<svg"));
  CHECK(svg.ends_with("</svg>\n"));
  CHECK(svg.find("continent") != std::string::npos);
}

TEST_CASE("probe_hidden_states refuses bad input with one sentence") {
  refuses("nowhere.safetensors " + countries, "no such file");
  refuses(fixture + " nowhere.tsv", "no such file");
  refuses(countries + ' ' + countries, ".npy, .npz and .safetensors");
  refuses(fixture + ' ' + data("royals.tsv"), "has facts");
  refuses(fixture + ' ' + countries + " --layers 7", "layer 7 is not among the 7 layers");
  refuses(fixture + ' ' + countries + " --tensor states2", "no tensor \"states2\"");
  refuses(fixture + ' ' + countries + " --folds 1", "--folds");
  refuses(fixture + ' ' + countries + " --subjects " + countries, "196 subjects");
  refuses(fixture + ' ' + countries + " --svg /nowhere/x.svg --layers 0 --shuffles 1", "/nowhere/x.svg");
  refuses("", "states");
}

}  // namespace probe_hidden_states_test
