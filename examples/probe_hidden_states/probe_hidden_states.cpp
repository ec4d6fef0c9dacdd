// Hidden states of a language model and a table of facts in, a table of relations x layers out: where can each relation
// be read, and what do the controls say?
#include <unistd.h>
#include <iomanip>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>

#include "../heat_map.hpp"
#include "../program.hpp"
#include "geofact/geofact.hpp"

namespace {

using namespace geofact;
using cells = std::vector<std::optional<probe::relation_readout>> probe::layer_figures::*;

constexpr const char* classes_title =
    "classes: share of held-out subjects whose answer is read right, among answers that several subjects share";
constexpr const char* map_title =
    "map: share whose answer is the nearest to W e + b, among all answers of the relation";

/// The first few names.
std::string some_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < 5; ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > 5 ? text + ", ..." : text;
}

/// The name of a relation, cut to the width of the first column.
std::string shortened(const std::string& name) { return name.size() <= 20 ? name : name.substr(0, 19) + '.'; }

bool measured(const probe::layers_report& report, cells which, int relation) {
  return report.best_layer(relation, which) >= 0;
}

void print_table(const probe::layers_report& report, const knowledge& known, cells which, const char* title) {
  std::cout << '\n'
            << title << "\n\n"
            << std::left << std::setw(20) << "relation" << std::right << " | subjects | answers |";
  for (const auto& layer : report.layers) std::cout << std::setw(6) << layer.name;
  std::cout << " | best layer | shuffled | random | majority | beyond controls\n";
  for (int r = 0; r < known.relations.size(); ++r) {
    if (!measured(report, which, r)) continue;
    const auto at = static_cast<std::size_t>(r);
    const int best = report.best_layer(r, which);
    const auto& layer = report.layers[static_cast<std::size_t>(best)];
    const auto& found = *(layer.*which)[at];
    std::cout << std::left << std::setw(20) << shortened(known.relations[r]) << std::right << " | " << std::setw(8)
              << found.subjects << " | " << std::setw(7) << found.answers << " |" << std::fixed << std::setprecision(2);
    for (const auto& one : report.layers) std::cout << std::setw(6) << (one.*which)[at]->real.recall;
    std::cout << " | " << std::setw(10) << layer.name << " | " << std::setw(8) << found.shuffled.mean << " | "
              << std::setw(6) << found.random.recall << " | " << std::setw(8) << found.majority << " | "
              << std::setw(15) << found.excess() << (found.excess() <= 0 ? "  nothing" : "") << '\n';
  }
}

void print(const std::string& file, const probe::hidden_states& states, const probe::layers_report& report,
           const knowledge& known) {
  std::cout << file << ": " << states.layers() << " layers x " << states.subjects() << " subjects x " << states.width();
  if (const auto* model = states.metadata("model")) std::cout << ", " << *model;
  if (const auto* prompt = states.metadata("prompt")) std::cout << ", prompt \"" << *prompt << '"';
  std::cout << "\n  subjects with facts: " << report.subjects;
  const auto listed = [](const std::vector<std::string>& names, const char* what) {
    if (!names.empty()) std::cout << "\n  " << what << ": " << names.size() << " (" << some_of(names) << ')';
  };
  listed(report.without_facts, "subjects without facts, left out");
  listed(report.without_states, "subjects without states, left out");
  std::cout << '\n';
  print_table(report, known, &probe::layer_figures::classes, classes_title);
  if (states.answers().size() > 0) print_table(report, known, &probe::layer_figures::map, map_title);
  std::cout << "\nsuperposition: the states as sums of the classes of all relations, held-out R^2\n\n"
            << std::left << std::setw(20) << "layer" << std::right;
  const auto row = [&](const char* name, auto figure) {
    std::cout << '\n' << std::left << std::setw(20) << name << std::right;
    for (const auto& layer : report.layers)
      std::cout << std::setw(7) << std::setprecision(3) << figure(layer.superposition);
  };
  for (const auto& layer : report.layers) std::cout << std::setw(7) << layer.name;
  row("R^2", [](const auto& s) { return s.r2; });
  row("shuffled facts", [](const auto& s) { return s.shuffled.mean; });
  row("random states", [](const auto& s) { return s.random; });
  std::cout << '\n';
  for (const auto& warning : report.warnings) std::cout << "warning: " << warning << '\n';
}

nlohmann::json as_json(const std::string& file, const probe::hidden_states& states, const probe::layers_report& report,
                       const knowledge& known) {
  nlohmann::json out = {{"file", file},
                        {"subjects", report.subjects},
                        {"width", states.width()},
                        {"without_facts", report.without_facts},
                        {"without_states", report.without_states},
                        {"warnings", report.warnings},
                        {"layers", nlohmann::json::array()}};
  for (const char* key : {"model", "revision", "prompt", "token"})
    if (const auto* text = states.metadata(key)) out[key] = *text;
  for (const auto& layer : report.layers) {
    nlohmann::json one = {{"layer", layer.name}, {"relations", nlohmann::json::object()}};
    one["superposition"] = {{"r2", layer.superposition.r2},
                            {"shuffled", layer.superposition.shuffled.mean},
                            {"random", layer.superposition.random}};
    for (const auto& [what, which] :
         {std::pair{"classes", &probe::layer_figures::classes}, std::pair{"map", &probe::layer_figures::map}})
      for (int r = 0; r < known.relations.size(); ++r)
        if (const auto& cell = (layer.*which)[static_cast<std::size_t>(r)])
          one["relations"][known.relations[r]][what] = {{"subjects", cell->subjects},
                                                        {"answers", cell->answers},
                                                        {"recall", cell->real.recall},
                                                        {"top", cell->real.top},
                                                        {"euclidean", cell->real.euclidean},
                                                        {"r2", cell->real.r2},
                                                        {"shuffled", cell->shuffled.mean},
                                                        {"shuffled_deviation", cell->shuffled.deviation},
                                                        {"random", cell->random.recall},
                                                        {"majority", cell->majority},
                                                        {"selectivity", cell->selectivity()},
                                                        {"excess", cell->excess()},
                                                        {"lambda", cell->lambda}};
    out["layers"].push_back(std::move(one));
  }
  return out;
}

heat_map picture(const probe::layers_report& report, const knowledge& known, cells which, std::string title) {
  heat_map map{std::move(title), "layer", {}, {}, {}};
  for (const auto& layer : report.layers) map.columns.push_back(layer.name);
  for (int r = 0; r < known.relations.size(); ++r) {
    if (!measured(report, which, r)) continue;
    map.rows.push_back(shortened(known.relations[r]));
    map.values.emplace_back();
    for (const auto& layer : report.layers)
      map.values.back().push_back((layer.*which)[static_cast<std::size_t>(r)]->excess());
  }
  return map;
}

int probe_states(int argc, char** argv) {
  std::string file, facts, tensor, subjects, svg;
  read_options reading;
  probe::layers_options wanted;
  bool json = false;
  CLI::App app{
      "Probes the hidden states of a model for the facts of a table: relation by relation, layer by layer, with "
      "controls."};
  app.add_option("states", file, "[layers, subjects, width] or [subjects, width] as .npy, .npz or .safetensors")
      ->required()
      ->type_name("STATES");
  app.add_option("facts", facts, "head-relation-tail triples or a table with a column for each relation (TSV or CSV)")
      ->required()
      ->type_name("FACTS");
  app.add_option("--subjects", subjects, "a text with the subjects' names, one a line; default: the names in STATES");
  app.add_option("--tensor", tensor, "the name of the states in an archive; default: states");
  app.add_option("--layers", wanted.layers, "numbers of the layers to probe, from 0; default: all")->delimiter(',');
  app.add_option("--folds", wanted.readout.folds, "every subject is held out once")
      ->capture_default_str()
      ->check(CLI::Range(2, 1 << 20));
  app.add_option("--shuffles", wanted.readout.shuffles, "repetitions of the control with shuffled facts")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  app.add_option("--seed", wanted.readout.seed, "of folds and controls")->capture_default_str();
  app.add_option("--threads", wanted.readout.threads, "default: one per core")->check(CLI::Range(0, 4096));
  app.add_option("--svg", svg, "where to write a heat map of what exceeds the controls");
  app.add_flag("--json", json, "print one JSON object");
  if (!parse(app, argc, argv)) return 0;
  const knowledge known = read_facts(facts, reading);
  const probe::hidden_states states(file, tensor, subjects);
  if (isatty(STDERR_FILENO) != 0)
    wanted.progress = [](index_t done, index_t all) {
      std::cerr << "\rlayer " << done << " of " << all << (done == all ? "\n" : "");
    };
  const auto report = probe::probe_layers(states, known, wanted);
  if (!svg.empty()) {
    std::vector<heat_map> maps;
    maps.push_back(
        picture(report, known, &probe::layer_figures::classes, "Classes: % recalled beyond the greatest control"));
    if (states.answers().size() > 0)
      maps.push_back(
          picture(report, known, &probe::layer_figures::map, "Map W e + b: % recalled beyond the greatest control"));
    write_svg(svg, maps);
  }
  if (json)
    std::cout << as_json(file, states, report, known).dump(2) << '\n';
  else
    print(file, states, report, known);
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_program("probe_hidden_states", probe_states, argc, argv); }
