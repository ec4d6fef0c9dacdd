#include "geofact/fact/triples.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "geofact/fact/wide_table.hpp"

namespace triples_test {

using geofact::knowledge;
using geofact::on_conflict;
using geofact::read_options;

namespace {

using word_list = std::vector<std::string>;

knowledge triples(std::string_view text, read_options options = {}) {
  return geofact::parse_triples(text, "f.tsv", options);
}
knowledge wide(std::string_view text, read_options options = {}) {
  return geofact::parse_wide_table(text, "w.csv", options);
}

/// The name of the answer, "" if unknown.
std::string answer(const knowledge& k, std::string_view subject, std::string_view relation) {
  const int a = k.facts(k.subjects.id(subject), k.relations.id(relation));
  return a == geofact::unknown ? "" : k.attributes[static_cast<std::size_t>(a)];
}

constexpr read_options keep_first{.conflict = on_conflict::first}, drop{.conflict = on_conflict::drop_relation},
    disjoint{.disjoint = true};

}  // namespace

TEST_CASE("triples share attributes: subjects first, then answers that are no subjects") {
  const auto k = triples("head\trelation\ttail\nAnna\tmother\tBerta\nAnna\tcity\tRome\nBerta\tcity\tOslo\n");
  CHECK(k.subjects.all() == word_list{"Anna", "Berta"});
  CHECK(k.relations.all() == word_list{"mother", "city"});
  CHECK(k.attributes == word_list{"Anna", "Berta", "Rome", "Oslo"});
  CHECK(k.facts.shared());
  CHECK(k.facts(0, 0) == 1);
  CHECK(k.facts(0, 1) == 2);
  CHECK(k.facts(1, 0) == geofact::unknown);
  CHECK(k.facts(1, 1) == 3);
  CHECK(k.facts.known() == 3);
  CHECK(k.notes.empty());
}

TEST_CASE("disjoint attributes give each relation a range of its own") {
  const auto k =
      triples("Anna\tmother\tBerta\nAnna\tfriend\tCora\nBerta\tmother\tCora\nCora\tfriend\tCora\n", disjoint);
  CHECK(k.attributes == word_list{"Berta", "Cora", "Cora"});
  CHECK_FALSE(k.facts.shared());
  CHECK(k.facts.codomain(0) == geofact::attribute_range{0, 2});
  CHECK(k.facts.codomain(1) == geofact::attribute_range{2, 3});
  CHECK(k.facts(1, 0) == 1);
  CHECK(k.facts(2, 1) == 2);
}

TEST_CASE("the header of triples is optional, known by two wordings in any case") {
  const char* body = "a,r,b\n";
  for (const char* header :
       {"", "head,relation,tail\n", "Subject, Relation, Object\n", "# note\n\nHEAD,RELATION,TAIL\n"})
    CHECK(geofact::parse_triples(std::string(header) + body, "f.csv").facts.known() == 1);
  CHECK(geofact::parse_triples("subject,relation,tail\na,r,b\n", "f.csv").facts.known() == 2);
}

TEST_CASE("a wide table has a column for each relation, and an empty cell is unknown") {
  const auto k = wide("name,mother,city\nAnna,Berta,Rome\nBerta,,Oslo\nCora,,\n");
  CHECK(k.subjects.all() == word_list{"Anna", "Berta", "Cora"});
  CHECK(k.relations.all() == word_list{"mother", "city"});
  CHECK(k.attributes == word_list{"Anna", "Berta", "Cora", "Rome", "Oslo"});
  CHECK(answer(k, "Anna", "mother") == "Berta");
  CHECK(answer(k, "Berta", "mother") == "");
  CHECK(k.facts.known() == 3);
  CHECK(wide("name,mother,city\nAnna,Berta,Rome\n", disjoint).attributes == word_list{"Berta", "Rome"});
}

TEST_CASE("three columns are triples and any other number is a wide table") {
  CHECK(geofact::parse_facts("a\tr\tb\n", "f").relations.all() == word_list{"r"});
  CHECK(geofact::parse_facts("name\tr\na\tb\n", "f").relations.all() == word_list{"r"});
  CHECK(geofact::parse_facts("name,r,s,t\na,b,c,d\n", "f").relations.size() == 3);
}

TEST_CASE("a conflicting fact names both lines") {
  CHECK_THROWS_WITH_AS(triples("Frank\tmother\tAnna\n#\nFrank\tmother\tBerta\n"),
                       R"(f.tsv:3: "Frank" has two answers under "mother": "Anna" on line 1 and "Berta" on line 3)",
                       geofact::error);
}

TEST_CASE("a repeated fact names both lines") {
  CHECK_THROWS_WITH_AS(triples("a\tr\tb\nb\tr\tc\na\tr\tb\n"), R"(f.tsv:3: repeats line 1: "a" "r" "b")",
                       geofact::error);
}

TEST_CASE("the first answer is kept on request, with a note for each relation") {
  const auto k = triples("a\tr\tb\na\tr\tc\na\tr\tb\nb\ts\tc\nb\ts\tc\na\tr\td\n", keep_first);
  CHECK(k.facts.known() == 2);
  CHECK(answer(k, "a", "r") == "b");
  CHECK(k.attributes == word_list{"a", "b", "c"});
  REQUIRE(k.notes.size() == 1);
  CHECK(k.notes[0] == R"(kept the first answers of the relation "r" (conflicts: 2): )"
                      R"(f.tsv:2: "a" has two answers under "r": "b" on line 1 and "c" on line 2)");
}

TEST_CASE("a relation with conflicts is dropped on request and leaves its subjects") {
  const auto k = triples("x\tr\ty\nx\tr\tz\na\ts\tb\n", drop);
  CHECK(k.relations.all() == word_list{"s"});
  CHECK(k.subjects.all() == word_list{"x", "a"});
  CHECK(k.attributes == word_list{"x", "a", "b"});
  CHECK(answer(k, "a", "s") == "b");
  REQUIRE(k.notes.size() == 1);
  CHECK(k.notes[0].starts_with(R"(dropped the relation "r" (conflicts: 1): f.tsv:2: "x" has two answers)"));
  CHECK(triples("x\tr\ty\nx\tr\tz\na\ts\tb\n", {drop.conflict, true}).attributes == word_list{"b"});
  CHECK_THROWS_WITH_AS(triples("x\tr\ty\nx\tr\tz\n", drop),
                       "f.tsv: no facts are left, as every relation has a conflict", geofact::error);
}

TEST_CASE("a subject with two rows is refused, or its rows are joined on request") {
  const char* text = "name,r,s\na,b,\nc,d,e\na,b,f\na,g,\n";
  CHECK_THROWS_WITH_AS(wide(text), R"(w.csv:4: a second row for the subject "a", after line 2)", geofact::error);
  const auto k = wide(text, keep_first);
  CHECK(answer(k, "a", "r") == "b");
  CHECK(answer(k, "a", "s") == "f");
  CHECK(k.notes.size() == 1);
  CHECK(wide(text, drop).relations.all() == word_list{"s"});
}

TEST_CASE("a line with another number of columns tells both numbers") {
  CHECK_THROWS_WITH_AS(triples("a\tr\tb\na\tr\n"), "f.tsv:2: expected 3 columns, found 2", geofact::error);
  CHECK_THROWS_WITH_AS(triples("a\tr\tb\tc\n"), "f.tsv:1: expected 3 columns, found 4", geofact::error);
  CHECK_THROWS_WITH_AS(wide("n,r,s\na,b,c\nd,e"), "w.csv:3: expected 3 columns, found 2", geofact::error);
}

TEST_CASE("an empty name is refused by its part") {
  CHECK_THROWS_WITH_AS(triples("\tr\tb\n"), "f.tsv:1: the subject is empty", geofact::error);
  CHECK_THROWS_WITH_AS(triples("a\t \tb\n"), "f.tsv:1: the relation is empty", geofact::error);
  CHECK_THROWS_WITH_AS(triples("a\tr\tb\na\tr\t\r\n"), "f.tsv:2: the answer is empty", geofact::error);
  CHECK_THROWS_WITH_AS(wide("n,r\n,b\n"), "w.csv:2: the subject is empty", geofact::error);
  CHECK_THROWS_WITH_AS(wide("n,r,\na,b,c\n"), "w.csv:1: the relation of column 3 has no name", geofact::error);
}

TEST_CASE("a relation column that is repeated or empty is refused") {
  CHECK_THROWS_WITH_AS(wide("n,r,s,r\na,b,c,d\n"), R"(w.csv:1: columns 2 and 4 are both the relation "r")",
                       geofact::error);
  CHECK_THROWS_WITH_AS(wide("n,r,s\na,b,\n"), R"(w.csv: no fact under the relation "s")", geofact::error);
}

TEST_CASE("a text without facts is refused") {
  for (const char* text : {"", "# nothing\n", "\n\n", "head\trelation\ttail\n", "\xEF\xBB\xBF"})
    CHECK_THROWS_WITH_AS(triples(text), "f.tsv: no facts", geofact::error);
  for (const char* text : {"", "name,r\n", "name,r\na,\n"})
    CHECK_THROWS_WITH_AS(wide(text), "w.csv: no facts", geofact::error);
  CHECK_THROWS_WITH_AS(wide("name\na\n"),
                       "w.csv:1: no relations: expected a column of subjects and at least one relation, found 1 column",
                       geofact::error);
}

TEST_CASE("a table that exceeds memory is refused with its size") {
  std::string text;
  const int n = 150000;  // 180 GB of cells
  for (int i = 0; i < n; ++i) text += std::to_string(i) + "\tr" + std::to_string(i) + "\tx\n";
  if (geofact::physical_memory() < geofact::index_t{n} * n * 8)
    CHECK_THROWS_WITH_AS(triples(text), doctest::Contains("f.tsv: a table of 22500000000 facts would take"),
                         geofact::error);
}

}  // namespace triples_test
