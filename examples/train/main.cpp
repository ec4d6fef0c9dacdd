// Trains the one-layer transformer on random facts or on those of a file.
//
//     train --entities 4096 --relations 16 --width 96
//     train examples/data/countries.tsv --width 24 --save model.safetensors
//     train --entities 128 --relations 4 --width 8 --hops 2 --mode cot-latest --json
#include <unistd.h>
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>

#include "../program.hpp"
#include "geofact/fact/graph.hpp"
#include "geofact/fact/wide_table.hpp"
#include "settings.hpp"

namespace {

void print(const geofact::fact_table<>& facts, const std::string& mode, const settings& wanted, const result& found) {
  const auto& n = found.sizes;
  std::cout << facts.subjects() << " subjects, " << facts.relations() << " relations, " << facts.attributes()
            << " attributes, " << facts.known() << " facts; " << found.questions << " questions (" << mode << ", "
            << wanted.asked.hops << (wanted.asked.hops == 1 ? " hop" : " hops") << ")\n"
            << "  sizes: width " << n.width << ", hidden " << n.hidden << ", layers " << n.layers << ", heads "
            << n.heads << ", " << found.parameters << " parameters\n"
            << "  recall " << found.recall << ", loss " << found.loss << " nats a question after "
            << found.history.back().step << " steps";
  if (wanted.asked.is_chain()) std::cout << "; reading its own thoughts " << found.free_running;
  std::cout << "\n  steps to";
  for (const auto& [share, step] : found.steps_to) {
    std::cout << (share == 0.5 ? " " : ", ") << 100 * share << " %: ";
    if (step >= 0)
      std::cout << step;
    else
      std::cout << "none";
  }
  std::cout << "\n  time: " << found.seconds << " s, " << found.gflops << " GFLOP/s in matrix products\n";
}

nlohmann::json as_json(const geofact::fact_table<>& facts, const std::string& mode, const settings& wanted,
                       const result& found) {
  const auto step = [&](double share) {
    const int at = found.steps_to.at(share);
    return at < 0 ? nlohmann::json(nullptr) : nlohmann::json(at);
  };
  nlohmann::json settings;
  geofact::for_each_setting(wanted.recipe, [&](const std::string& name, const auto& value) { settings[name] = value; });
  return {{"entities", facts.subjects()},
          {"relations", facts.relations()},
          {"facts", facts.known()},
          {"mode", mode},
          {"hops", wanted.asked.hops},
          {"questions", found.questions},
          {"width", int{found.sizes.width}},
          {"hidden", int{found.sizes.hidden}},
          {"parameters", found.parameters},
          {"recall", found.recall},
          {"free_running_recall", found.free_running},
          {"loss", found.loss},
          {"steps", found.history.back().step},
          {"steps_to_50", step(0.5)},
          {"steps_to_90", step(0.9)},
          {"steps_to_99", step(0.99)},
          {"steps_to_100", step(1)},
          {"seconds", found.seconds},
          {"gflops", found.gflops},
          {"settings", settings}};
}

int train(int argc, char** argv) {
  std::string file, recipe, which, mode = "direct", graph = "bijections", device = "cpu";
  int entities = 512, relations = 4, width = 18, hidden = 0, threads = 0;
  std::uint64_t seed = 1, graph_seed = 1;
  std::vector<std::string> changes;
  settings wanted;
  bool json = false;

  CLI::App app{"Trains a one-layer transformer on facts: random ones, or those of FILE (TSV or CSV, as recall reads)."};
  app.add_option("file", file, "the facts; default: a random graph")->type_name("FILE");
  app.add_option("--entities", entities, "N of the random graph")->capture_default_str()->check(CLI::Range(1, 1 << 24));
  app.add_option("--relations", relations, "R of the random graph")
      ->capture_default_str()
      ->check(CLI::Range(1, 1 << 16));
  app.add_option("--graph", graph, "kind of the random graph")
      ->capture_default_str()
      ->check(CLI::IsMember({"bijections", "matchings", "functions"}));
  app.add_option("--graph-seed", graph_seed, "of the random graph")->capture_default_str();
  app.add_option("--width", width, "d, of the residual stream")->capture_default_str()->check(CLI::Range(1, 1 << 20));
  app.add_option("--hidden", hidden, "hidden units; default 4 d")->check(CLI::Range(0, 1 << 24));
  app.add_option("--recipe", recipe,
                 "fast memorises, geometric builds structure for probes, chain learns to attend; "
                 "default: chain for --mode cot, else fast")
      ->check(CLI::IsMember({"fast", "geometric", "chain"}));
  app.add_option("--variant", which,
                 "what is frozen: EU nothing, fU the unembedding, fE the entities, fEU both; "
                 "default: as the recipe says")
      ->check(CLI::IsMember({"EU", "fU", "fE", "fEU"}));
  app.add_option("--hops", wanted.asked.hops, "hops of a question")
      ->capture_default_str()
      ->check(CLI::Range(1, 1 << 16));
  app.add_option("--mode", mode, "how several hops are asked")
      ->capture_default_str()
      ->check(CLI::IsMember({"direct", "cot", "cot-latest", "cot-uniform"}));
  app.add_option("--set", changes, "another setting of the recipe: NAME=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--seed", seed, "of the initial weights, batches and noise")->capture_default_str();
  app.add_option("--threads", threads, "default: one per core")->check(CLI::Range(0, 4096));
  app.add_option("--device", device, "what computes")->capture_default_str()->check(CLI::IsMember({"cpu"}));
  app.add_option("--save", wanted.save, "checkpoint and model, written now and then and at the end")->type_name("FILE");
  app.add_option("--save-every", wanted.save_every, "seconds between checkpoints")->capture_default_str();
  app.add_option("--resume", wanted.resume, "checkpoint to go on from")->type_name("FILE");
  app.add_flag("--json", json, "print one JSON object");
  if (!parse(app, argc, argv)) return 0;

  const auto place_in = [](const auto& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) - names.begin();
  };
  wanted.asked.how = static_cast<geofact::mode>(place_in(geofact::mode_names, mode));
  if (recipe.empty()) recipe = mode == "cot" ? "chain" : "fast";
  wanted.recipe = recipe == "fast"        ? geofact::fast(width, hidden)
                  : recipe == "geometric" ? geofact::geometric(width, hidden)
                                          : geofact::chain(width, hidden);
  if (!which.empty())
    wanted.recipe = wanted.recipe.as(static_cast<geofact::variant>(place_in(geofact::variant_names, which)));
  wanted.recipe.seed = seed, wanted.recipe.threads = threads;
  for (const auto& one : changes) change(wanted.recipe, one);
  wanted.progress = isatty(STDERR_FILENO) != 0;

  const geofact::graph_options<> options{.relations = relations, .seed = graph_seed};
  const auto facts = !file.empty()           ? geofact::read_facts(file).facts
                     : graph == "bijections" ? geofact::random_bijections(entities, options)
                     : graph == "matchings"  ? geofact::perfect_matchings(entities, options)
                                             : geofact::random_functions(entities, entities, options);
  const result found = run(wanted, facts);
  if (json)
    std::cout << as_json(facts, mode, wanted, found).dump(2) << '\n';
  else
    print(facts, mode, wanted, found);
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_program("train", train, argc, argv); }
