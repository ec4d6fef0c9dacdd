// The least width d* that learns the facts, against N and R, with fits.
//
//     threshold --entities 128,256,512 --relations 2,4 --variants EU,fEU --log trials.jsonl --csv thresholds.csv
//     mpirun -n 2 threshold_mpi --entities 128,256,512 --relations 2,4 --log trials.jsonl
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iomanip>
#include <iostream>

#include "geofact/foundation/parallel.hpp"
#include "geofact/io/atomic_file.hpp"
#include "sweep.hpp"
#include "workers.hpp"

namespace {

using namespace geofact;

template <class Names>
int index_in(const Names& names, const std::string& name) {
  return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
}

int search(workers& all, int argc, char** argv) {
  std::vector<int> entities = {128, 256, 512}, relations = {2, 4};
  std::vector<std::string> variants = {"EU", "fU", "fEU"};
  std::string mode = "direct", log, csv;
  int hops = 1, seeds = 2, threads = 0;
  threshold_rule rule;
  rule.settings = fast(1);

  CLI::App app{"Searches the least width that learns the facts of a random graph, for each N, R and variant."};
  app.add_option("--entities", entities, "N")->delimiter(',')->check(CLI::Range(1, 1 << 24));
  app.add_option("--relations", relations, "R")->delimiter(',')->check(CLI::Range(1, 1 << 16));
  app.add_option("--variants", variants, "what is frozen: EU nothing, fU the unembedding, fE the entities, fEU both")
      ->delimiter(',')
      ->check(CLI::IsMember(std::vector<std::string>(variant_names.begin(), variant_names.end())));
  app.add_option("--mode", mode, "how several hops are asked")
      ->capture_default_str()
      ->check(CLI::IsMember(std::vector<std::string>(mode_names.begin(), mode_names.end())));
  app.add_option("--hops", hops, "hops of a question")->capture_default_str()->check(CLI::Range(1, 64));
  app.add_option("--target", rule.target, "the recall that passes")
      ->capture_default_str()
      ->check(CLI::Range(0.01, 1.0));
  app.add_option("--seeds", seeds, "graphs and starts; a width passes where all of them do")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  app.add_option("--hidden-per-width", rule.hidden_per_width, "m / d")
      ->capture_default_str()
      ->check(CLI::Range(1, 4096));
  auto* const steps = app.add_option("--steps", rule.settings.steps, "budget of a run")->check(CLI::Range(1, 1 << 24));
  auto* const rate = app.add_option("--learning-rate", rule.settings.learning_rate)->check(CLI::PositiveNumber);
  app.add_option("--patience", rule.patience, "share of the budget after which hopeless runs are given up; 1: never")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
  app.add_option("--resolution", rule.resolution, "how near the widths that pass and fail must come, as a share")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
  app.add_option("--widest", rule.widest, "where the search ends")
      ->capture_default_str()
      ->check(CLI::Range(1, 1 << 16));
  app.add_option("--log", log, "every trial as a line of JSON; a search goes on from it")->type_name("FILE");
  app.add_option("--csv", csv, "the thresholds")->type_name("FILE");
  app.add_option("--threads", threads, "searches at a time; default: one per core")->check(CLI::Range(0, 4096));
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    if (all.rank() == 0) std::cout << app.help();
    return 0;
  } catch (const CLI::ParseError& failure) {
    throw error(failure.what());
  }
  if (mode == "cot") {  // learned attention has a recipe of its own
    auto learned = chain(1);
    if (steps->count() > 0) learned.steps = rule.settings.steps;
    if (rate->count() > 0) learned.learning_rate = rule.settings.learning_rate;
    rule.settings = learned;
  }
  rule.seeds.clear();
  for (int seed = 1; seed <= seeds; ++seed) rule.seeds.push_back(seed);
  const task asked{static_cast<geofact::mode>(index_in(mode_names, mode)), hops};

  std::vector<threshold_problem> problems;
  for (const auto& name : variants)
    for (int r : relations)
      for (int n : entities) problems.push_back({n, r, static_cast<variant>(index_in(variant_names, name)), asked});
  const int at_once = all.size() > 1 && threads == 0 ? 1 : thread_count(threads);
  const crew processes{all.rank(), all.size(), [&] { return all.next(); }, [&] { all.barrier(); }};
  const auto found = sweep(processes, problems, rule, log, at_once, isatty(STDERR_FILENO) != 0);
  if (all.rank() != 0) return 0;

  std::cout << "variant |    R |       N |    d* | fails at | d* / (R log2 N)\n";
  for (const auto& t : found) {
    const auto& p = t.problem;
    std::cout << std::setw(7) << name_of(p.which) << " | " << std::setw(4) << p.relations << " | " << std::setw(7)
              << p.entities << " | " << std::setw(5) << (t.passes > 0 ? std::to_string(t.passes) : "none") << " | "
              << std::setw(8) << t.fails << " | ";
    if (t.passes > 0) std::cout << t.passes / (p.relations * std::log2(p.entities));
    std::cout << '\n';
  }
  std::cout << fits(found);
  if (!csv.empty()) {
    atomic_file file(csv);
    file.write(as_csv(found, rule));
    file.commit();
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  workers all;
  try {
    return search(all, argc, argv);
  } catch (const std::exception& failure) {
    std::cerr << "threshold: " << failure.what() << '\n';
    all.abort(2);
    return 2;
  }
}
