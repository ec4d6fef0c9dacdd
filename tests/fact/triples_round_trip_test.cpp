#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "geofact/fact/wide_table.hpp"
#include "geofact/foundation/random.hpp"

namespace triples_round_trip_test {

using geofact::knowledge;
using geofact::random_stream;

namespace {

constexpr int subjects = 1000, relations = 4;

/// How a table is written down.
struct dialect {
  const char* extension;
  char separator;
  const char* line_end;
  const char* mark;
};
constexpr dialect dialects[] = {{".tsv", '\t', "\n", ""},
                                {".tsv", '\t', "\r\n", "\xEF\xBB\xBF"},
                                {".csv", ',', "\n", "\xEF\xBB\xBF"},
                                {".csv", ',', "\r\n", ""},
                                {".txt", '\t', "\n", ""}};

/// A name that needs quotes between commas: every kind of letter that a field can hold.
std::string name(const dialect& d, int i) {
  constexpr const char* odd[] = {"", ", the", " \"le\" ", "\xC3\xA9\xF0\x9F\x98\x80", "'s #", "\n,\"\"\r\nx"};
  return "n" + std::string(odd[i % (d.separator == ',' ? 6 : 5)]) + std::to_string(i);
}

std::string field(const dialect& d, const std::string& text) {
  if (d.separator == '\t') return text;
  std::string result = "\"";
  for (char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

/// The answer of the generated table: a subject or a city, sometimes unknown.
int truth(int s, int r) {
  const random_stream random(3, static_cast<std::uint64_t>(r));
  return random.below(10, static_cast<std::uint64_t>(2 * s)) == 0
             ? geofact::unknown
             : random.below(subjects + 50, static_cast<std::uint64_t>(2 * s + 1));
}

std::string as_triples(const dialect& d) {
  std::string text = d.mark;
  for (int s = 0; s < subjects; ++s)
    for (int r = 0; r < relations; ++r)
      if (truth(s, r) != geofact::unknown)
        text += field(d, name(d, s)) + d.separator + field(d, "r" + std::to_string(r)) + d.separator +
                field(d, name(d, truth(s, r))) + d.line_end;
  return text;
}

std::string as_wide_table(const dialect& d) {
  std::string text = std::string(d.mark) + "name";
  for (int r = 0; r < relations; ++r) text += d.separator + field(d, "r" + std::to_string(r));
  for (int s = 0; s < subjects; ++s) {
    text += d.line_end + field(d, name(d, s));
    for (int r = 0; r < relations; ++r)
      text += d.separator + (truth(s, r) == geofact::unknown ? "" : field(d, name(d, truth(s, r))));
  }
  return text;
}

void check_truth(const dialect& d, const knowledge& k) {
  REQUIRE(k.relations.size() == relations);
  for (int s = 0; s < subjects; ++s)
    for (int r = 0; r < relations; ++r) {
      const int a = k.facts(k.subjects.find(name(d, s)), k.relations.id("r" + std::to_string(r)));
      REQUIRE((a == geofact::unknown) == (truth(s, r) == geofact::unknown));
      if (a != geofact::unknown) REQUIRE(k.attributes[static_cast<std::size_t>(a)] == name(d, truth(s, r)));
    }
  REQUIRE(static_cast<int>(k.attributes.size()) == k.facts.attributes());
  if (k.facts.shared())
    for (int s = 0; s < k.subjects.size(); ++s) REQUIRE(k.attributes[static_cast<std::size_t>(s)] == k.subjects[s]);
}

/// Whatever the bytes, the readers return facts or throw geofact::error; returns how many did the former.
int check_survives(const std::string& text, const std::string& source) {
  int read = 0;
  for (auto* parse : {geofact::parse_triples, geofact::parse_wide_table, geofact::parse_facts})
    for (auto conflict :
         {geofact::on_conflict::error, geofact::on_conflict::first, geofact::on_conflict::drop_relation}) {
      std::string sentence = source + ": facts";
      try {
        read += parse(text, source, {conflict, conflict == geofact::on_conflict::first}).facts.known() > 0;
      } catch (const geofact::error& e) {
        sentence = e.what();
      }
      REQUIRE(sentence.starts_with(source + ':'));
    }
  return read;
}

const std::string small_texts[] = {
    "\xEF\xBB\xBFhead,relation,tail\r\n\"a,1\",r,\"b\"\"\n2\"\r\n# note\r\n\r\nc,r,\xF0\x9F\x98\x80\r\na,s,\"b\"",
    "name\tr\ts\tt\na\tb\tc\td\n\xC3\xA9\t\ta\t\"\n# x\nb\ta\t \t\xE2\x82\xAC\n"};

}  // namespace

TEST_CASE("a generated table comes back from files of every dialect and both forms") {
  const auto folder = std::filesystem::temp_directory_path() / ("geofact_facts_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  for (const dialect& d : dialects)
    for (bool disjoint : {false, true}) {
      CAPTURE(d.extension);
      CAPTURE(disjoint);
      const auto file = (folder / (std::string("facts") + d.extension)).string();
      std::ofstream(file, std::ios::binary) << as_triples(d);
      check_truth(d, geofact::read_triples(file, {.disjoint = disjoint}));
      check_truth(d, geofact::read_facts(file, {.disjoint = disjoint}));
      std::ofstream(file, std::ios::binary) << as_wide_table(d);
      check_truth(d, geofact::read_wide_table(file, {.disjoint = disjoint}));
      check_truth(d, geofact::read_facts(file, {.disjoint = disjoint}));
    }
  std::filesystem::remove_all(folder);
}

TEST_CASE("a text cut at any byte is read or refused by a sentence with its name") {
  int read = 0;
  for (const std::string& text : small_texts)
    for (std::size_t size = 0; size <= text.size(); ++size)
      for (const char* source : {"cut.csv", "cut.tsv"}) {
        CAPTURE(text.substr(0, size));
        read += check_survives(text.substr(0, size), source);
      }
  CHECK(read > 0);
}

TEST_CASE("a text with any bytes changed is read or refused by a sentence with its name") {
  int read = 0;
  constexpr std::string_view likely = "\",\t\n\r# ab\xEF\xBB\xC3\x80";
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    CAPTURE(seed);
    const random_stream random(seed);
    std::string text = small_texts[seed % 2];
    const int changes = 1 + random.below(4, 0);
    for (std::uint64_t i = 1; i <= static_cast<std::uint64_t>(changes); ++i) {
      const auto at = static_cast<std::size_t>(random.below(static_cast<int>(text.size()), 4 * i));
      const auto letter = static_cast<std::size_t>(random.below(static_cast<int>(likely.size()), 4 * i + 1));
      text[at] = random.below(4, 4 * i + 2) == 0 ? static_cast<char>(random.bits(4 * i + 3)) : likely[letter];
    }
    read += check_survives(text, seed % 4 < 2 ? "fuzz.csv" : "fuzz.tsv");
  }
  CHECK(read > 0);
}

}  // namespace triples_round_trip_test
