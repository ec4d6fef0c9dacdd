// Lower bounds that no model can beat, beside what each construction takes: one table, or a sweep over N, R and k.
//
//     bounds --entities 4096 --relations 4 --hops 3 --bits 16
//     bounds --entities 1024,4096 --relations 2:8 --hops 1:6 --csv
#include <array>
#include <charconv>
#include <iomanip>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "../program.hpp"
#include "rows.hpp"

namespace {

constexpr whole most_problems = 100000;

/// Numbers such as "4096", "1024,4096" or "2:8".
std::vector<whole> numbers(const std::string& option, const std::string& text) {
  const auto number = [&](const std::string& word) {
    whole n = 0;
    const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), n);
    geofact::require(!word.empty() && failure == std::errc{} && end == word.data() + word.size(), option,
                     " takes numbers such as 4, 2,4,8 or 2:8, not \"", text, "\"");
    return n;
  };
  std::vector<whole> all;
  std::istringstream words(text + ",");
  for (std::string word; std::getline(words, word, ',');) {
    const auto colon = word.find(':');
    const whole first = number(word.substr(0, colon));
    const whole last = colon == std::string::npos ? first : number(word.substr(colon + 1));
    geofact::require(first <= last, option, " has the empty range ", word);
    geofact::require(last - first < most_problems, option, " names more than ", most_problems, " numbers");
    for (whole n = first; n <= last; ++n) all.push_back(n);
  }
  return all;
}

template <class Number>
std::string cell(Number n, int digits = 10) {
  if (n < 0) return "";
  std::ostringstream out;
  out << std::setprecision(digits) << n;
  return out.str();
}

const std::vector<std::string> columns{"dimension",    "hidden",      "layers",     "parameters",
                                       "private_bits", "shared_bits", "total_bits", "private_ratio",
                                       "shared_ratio", "total_ratio", "roots"};

/// Widths of the columns of the printed table.
constexpr std::array widths{9, 11, 8, 13, 14, 14, 16, 15, 14, 14, 8};

std::vector<std::string> cells(const row& r) {
  const auto ratio = [](double x) { return x > 0 ? cell(x, 5) : ""; };
  return {cell(r.dimension),         cell(r.hidden),      cell(r.layers),     cell(r.parameters),
          cell(r.private_bits),      cell(r.shared_bits), cell(r.total_bits), ratio(r.over.private_bits),
          ratio(r.over.shared_bits), ratio(r.over.total), cell(r.roots)};
}

void print_csv(const wanted& w, const std::vector<row>& rows) {
  for (const row& r : rows) {
    std::cout << w.asked.entities << ',' << w.asked.relations << ',' << w.asked.hops << ',' << r.kind << ",\"" << r.name
              << '"';
    for (const auto& text : cells(r)) std::cout << ',' << text;
    std::cout << ",\"" << r.note << "\"\n";
  }
}

nlohmann::json as_json(const wanted& w, const std::vector<row>& rows) {
  nlohmann::json lines = nlohmann::json::array();
  for (const row& r : rows) {
    nlohmann::json line{{"kind", r.kind}, {"name", r.name}, {"note", r.note}};
    const auto texts = cells(r);
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (!texts[i].empty()) line[columns[i]] = nlohmann::json::parse(texts[i]);
    lines.push_back(line);
  }
  return {{"entities", w.asked.entities},        {"relations", w.asked.relations}, {"hops", w.asked.hops},
          {"graphs", bound::name(w.asked.kind)}, {"bits", w.bits_per_parameter},   {"rows", lines}};
}

void print_table(const wanted& w, const std::vector<row>& rows) {
  std::cout
      << w.asked.entities << " entities, " << w.asked.relations << " relations (" << bound::name(w.asked.kind) << "), "
      << w.asked.hops << " hops, " << w.bits_per_parameter << " bits per parameter\n"
      << "bits know the facts; ratio: bits stored over bits that any model of the same shared or private bits, or of "
         "any split, needs\n\n"
      << std::string(42, ' ')
      << "dimension     hidden  layers   parameters  bits/subject   shared bits     bits in all "
         "private ratio  shared ratio   total ratio       n\n";
  std::vector<std::string> notes;
  for (const row& r : rows) {
    std::cout << std::left << std::setw(42) << (r.kind == "bound" ? "at least: " + r.name : r.name) << std::right;
    const auto texts = cells(r);
    for (std::size_t i = 0; i < texts.size(); ++i) std::cout << std::setw(widths[i]) << texts[i];
    std::cout << '\n';
    if (!r.note.empty()) notes.push_back(r.name + ": " + r.note);
  }
  for (const auto& note : notes) std::cout << "  " << note << '\n';
  std::cout << '\n';
}

int run(int argc, char** argv) {
  CLI::App app("Counting bounds beside the constructions: what any model needs, and how near each comes.", "bounds");
  std::string entities = "4096", relations = "4", hops = "1";
  wanted w;
  bool json = false, csv = false;
  app.add_option("--entities", entities, "N: a number, a list or a range")->capture_default_str();
  app.add_option("--relations", relations, "R: a number, a list or a range")->capture_default_str();
  app.add_option("--hops", hops, "k: a number, a list or a range")->capture_default_str();
  app.add_option("--bits", w.bits_per_parameter, "bits per parameter")->capture_default_str();
  app.add_option("--graphs", w.asked.kind, "what every relation is: permutation, matching or function")
      ->transform(
          CLI::CheckedTransformer(std::map<std::string, bound::graph>{{"permutation", bound::graph::permutation},
                                                                      {"matching", bound::graph::matching},
                                                                      {"function", bound::graph::function}}));
  app.add_option("--shared-bits", w.shared_bits, "shared bits of a budget");
  app.add_option("--dimension", w.dimension, "embedding dimension of a budget");
  app.add_flag("--json", json, "print JSON");
  app.add_flag("--csv", csv, "print one CSV table")->excludes("--json");
  if (!parse(app, argc, argv)) return 0;

  const auto ns = numbers("--entities", entities), rs = numbers("--relations", relations), ks = numbers("--hops", hops);
  const auto size = [](const auto& list) { return static_cast<whole>(list.size()); };
  geofact::require(geofact::checked_product(geofact::checked_product(size(ns), size(rs)), size(ks)) <= most_problems,
                   "the sweep asks for more than ", most_problems, " problems");
  const auto each = [&](const auto& visit) {
    for (whole n : ns)
      for (whole r : rs)
        for (whole k : ks) {
          w.asked.entities = n, w.asked.relations = r;
          w.asked.hops = static_cast<int>((std::min)(k, whole{bound::most_hops + 1}));
          visit();
        }
  };
  each([&] { w.asked.check(); });  // before anything is printed
  nlohmann::json all = nlohmann::json::array();
  if (csv) {
    std::cout << "entities,relations,hops,kind,name";
    for (const auto& name : columns) std::cout << ',' << name;
    std::cout << ",note\n";
  }
  each([&] {
    auto rows = constructions(w.asked);
    for (const auto& r : bounds(w)) rows.push_back(r);
    if (json)
      all.push_back(as_json(w, rows));
    else
      (csv ? print_csv : print_table)(w, rows);
  });
  if (json) std::cout << (all.size() == 1 ? all[0] : all).dump(2) << '\n';
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_program("bounds", run, argc, argv); }
