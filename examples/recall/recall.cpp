// Facts in, explicit transformer weights out, every fact recalled and proven so.
#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "../program.hpp"
#include "geofact/fact/wide_table.hpp"
#include "settings.hpp"

namespace {

using geofact::unknown;

std::string words(const geofact::knowledge& known, const geofact::question& asked) {
  std::string text = known.subjects[asked.subject];
  for (int r : asked.path) text = known.relations[r] + " of " + text;
  return text;
}

std::string said(const geofact::knowledge& known, int attribute) {
  return attribute == unknown ? "no answer" : known.attributes[static_cast<std::size_t>(attribute)];
}

/// 65536 as 65,536.
std::string grouped(geofact::index_t n) {
  std::string digits = std::to_string(n);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  return digits;
}

const char* name_of(geofact::decoder how) {
  return how == geofact::decoder::sign ? "exact sign decoding" : "argmax over all attributes";
}

void print(const std::string& file, const settings& wanted, const geofact::knowledge& known, const report& result) {
  const auto& facts = known.facts;
  std::cout << file << ": " << grouped(facts.subjects()) << " subjects, " << facts.relations() << " relations, "
            << grouped(facts.attributes()) << (facts.shared() ? " attributes" : " disjoint attributes") << ", "
            << grouped(facts.known()) << " facts\n";
  for (const auto& note : known.notes) std::cout << "  note: " << note << '\n';
  std::cout << "  construction: " << wanted.construction << ", " << wanted.hops
            << (wanted.hops == 1 ? " hop, " : " hops, ") << wanted.code << " codes of " << result.code_length
            << " coordinates";
  if (result.beta > 0) std::cout << ", attention scale " << result.beta;
  std::cout << "\n  sizes: width " << result.sizes.width << ", hidden " << grouped(result.sizes.hidden) << ", layers "
            << result.sizes.layers << ", " << grouped(result.sizes.parameters) << " parameters, "
            << grouped(result.sizes.fact_bits) << " bits that know the facts\n"
            << "  verified by " << name_of(result.found.how) << ": " << result.found << '\n'
            << "  time: " << result.construct_seconds << " s to construct, " << result.verify_seconds
            << " s to verify\n";
  for (std::size_t i = 0; i < wanted.questions.size(); ++i) {
    std::cout << "  " << words(known, wanted.questions[i]) << ": ";
    const auto& chain = result.replies[i].attributes;
    for (std::size_t hop = 0; hop < chain.size(); ++hop)
      std::cout << (hop > 0 ? " -> " : "") << said(known, chain[hop]);
    std::cout << '\n';
  }
}

nlohmann::json as_json(const std::string& file, const settings& wanted, const geofact::knowledge& known,
                       const report& result) {
  const auto finite = [](double x) { return std::isfinite(x) ? nlohmann::json(x) : nlohmann::json(nullptr); };
  nlohmann::json out = {{"file", file},
                        {"construction", wanted.construction},
                        {"code", wanted.code},
                        {"code_length", result.code_length},
                        {"hops", wanted.hops},
                        {"subjects", known.facts.subjects()},
                        {"relations", known.facts.relations()},
                        {"attributes", known.facts.attributes()},
                        {"facts", known.facts.known()},
                        {"width", result.sizes.width},
                        {"hidden", result.sizes.hidden},
                        {"layers", result.sizes.layers},
                        {"parameters", result.sizes.parameters},
                        {"fact_bits", result.sizes.fact_bits},
                        {"questions", result.found.questions()},
                        {"possible_questions", result.found.possible},
                        {"sampled", result.found.sampled()},
                        {"recalled", result.found.recalled},
                        {"wrong", result.found.wrong},
                        {"ties", result.found.ties},
                        {"unknown", result.found.unknown},
                        {"margin", finite(result.found.margin)},
                        {"decoder", result.found.how == geofact::decoder::sign ? "sign" : "argmax"},
                        {"construct_seconds", result.construct_seconds},
                        {"verify_seconds", result.verify_seconds},
                        {"seconds", result.construct_seconds + result.verify_seconds},
                        {"notes", known.notes},
                        {"answers", nlohmann::json::array()}};
  if (result.beta > 0) out["beta"] = result.beta;
  for (std::size_t i = 0; i < wanted.questions.size(); ++i) {
    const auto& chain = result.replies[i].attributes;
    nlohmann::json steps = nlohmann::json::array();
    for (int a : chain) steps.push_back(a == unknown ? nlohmann::json(nullptr) : nlohmann::json(said(known, a)));
    out["answers"].push_back({{"question", words(known, wanted.questions[i])},
                              {"answer", steps.back()},
                              {"steps", steps},
                              {"margin", finite(result.replies[i].margin)}});
  }
  return out;
}

int recall(int argc, char** argv) {
  settings wanted;
  std::string file, scalar = "int", format = "auto", attributes = "shared";
  geofact::read_options reading;
  std::vector<std::string> asked;
  bool json = false;

  CLI::App app{
      "Writes the facts of FILE into transformer weights and proves that every one is recalled.\n"
      "FILE holds head-relation-tail triples or a table with a column for each relation (TSV or CSV)."};
  app.add_option("file", file, "the facts")->required()->type_name("FILE");
  app.add_option("--hops", wanted.hops, "hops of a question; default: as many as the longest --ask")
      ->check(CLI::Range(1, 1 << 20));
  app.add_option("--construction", wanted.construction, "where the facts go")
      ->capture_default_str()
      ->check(CLI::IsMember({"tree", "lookup", "mixed", "chain-of-thought", "linear-memory", "mlp-memory"}));
  app.add_option("--embedded", wanted.embedded, "mixed: hops that the embedding holds")->capture_default_str();
  app.add_option("--per-layer", wanted.per_layer, "lookup, mixed: hops that one layer follows")->capture_default_str();
  app.add_option("--code", wanted.code, "how an attribute is written")
      ->capture_default_str()
      ->check(CLI::IsMember({"binary", "parity", "random-sign", "one-hot", "circle"}));
  app.add_option("--code-length", wanted.code_length, "random-sign: coordinates; default 8 log2 A")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--positions", wanted.positions, "chain-of-thought: code of the places")
      ->capture_default_str()
      ->check(CLI::IsMember({"one-hot", "binary"}));
  app.add_option("--margin-share", wanted.margin_share,
                 "chain-of-thought: share of the code's margin that attention keeps")
      ->capture_default_str();
  app.add_option("--key-length", wanted.key_length, "memories: width of the random embeddings")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--features", wanted.features, "mlp-memory: hidden units a relation")->check(CLI::NonNegativeNumber);
  app.add_option("--scalar", scalar, "number type of the weights; int is exact")
      ->capture_default_str()
      ->check(CLI::IsMember({"int", "float", "double"}));
  app.add_flag("--sparse", wanted.sparse, "keep the MLP as sparse matrices");
  app.add_option("--decoder", wanted.decoder, "how to verify: auto, argmax or sign")
      ->transform(CLI::CheckedTransformer(std::map<std::string, geofact::decoder>{{"auto", geofact::decoder::automatic},
                                                                                  {"argmax", geofact::decoder::argmax},
                                                                                  {"sign", geofact::decoder::sign}}));
  app.add_option("--limit", wanted.limit, "verify at most about this many questions")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--seed", wanted.seed, "of random codes, memories and samples")->capture_default_str();
  app.add_option("--threads", wanted.threads, "default: one per core")->check(CLI::Range(0, 4096));
  app.add_option("--format", format, "of FILE")
      ->capture_default_str()
      ->check(CLI::IsMember({"auto", "triples", "wide"}));
  app.add_option("--attributes", attributes, "whether relations share their attributes")
      ->capture_default_str()
      ->check(CLI::IsMember({"shared", "disjoint"}));
  app.add_option("--on-conflict", reading.conflict,
                 "two answers of one relation for one subject: error, first or drop (the relation)")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, geofact::on_conflict>{{"error", geofact::on_conflict::error},
                                                      {"first", geofact::on_conflict::first},
                                                      {"drop", geofact::on_conflict::drop_relation}}));
  app.add_option("--ask", asked, "a question: \"mother of wife of NAME\"")
      ->type_name("QUESTION")
      ->take_all()
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_flag("--json", json, "print one JSON object");
  if (!parse(app, argc, argv)) return 0;

  reading.disjoint = attributes == "disjoint";
  const geofact::knowledge known = format == "triples" ? geofact::read_triples(file, reading)
                                   : format == "wide"  ? geofact::read_wide_table(file, reading)
                                                       : geofact::read_facts(file, reading);
  for (const auto& text : asked) wanted.questions.push_back(geofact::parse_question(known, text));
  if (wanted.hops == 0) {
    wanted.hops = 1;
    for (const auto& one : wanted.questions) wanted.hops = (std::max)(wanted.hops, static_cast<int>(one.path.size()));
  }
  const auto longer = std::find_if(wanted.questions.begin(), wanted.questions.end(),
                                   [&](const auto& one) { return static_cast<int>(one.path.size()) > wanted.hops; });
  if (longer != wanted.questions.end())
    throw geofact::error("\"" + words(known, *longer) + "\" has more hops than --hops " + std::to_string(wanted.hops));
  wanted.progress = isatty(STDERR_FILENO) != 0;

  const report result = scalar == "int"     ? run<int>(wanted, known)
                        : scalar == "float" ? run<float>(wanted, known)
                                            : run<double>(wanted, known);
  if (json)
    std::cout << as_json(file, wanted, known, result).dump(2) << '\n';
  else
    print(file, wanted, known, result);
  return result.found.exact() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run_program("recall", recall, argc, argv); }
