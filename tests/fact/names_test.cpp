#include "geofact/fact/names.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "geofact/foundation/random.hpp"

namespace names_test {

using geofact::names;

namespace {

/// Levenshtein distance by the whole table, in lower case: the oracle.
int plain_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = static_cast<int>(i + j);
        continue;
      }
      const bool same = std::tolower(a[i - 1]) == std::tolower(b[j - 1]);
      d[i][j] = std::min({d[i - 1][j - 1] + !same, d[i - 1][j] + 1, d[i][j - 1] + 1});
    }
  return d[a.size()][b.size()];
}

/// Up to `longest` letters of aAbBcC, so that short words are often close.
std::string random_word(const geofact::random_stream& random, int longest, std::uint64_t i) {
  std::string word(static_cast<std::size_t>(random.below(longest + 1, 64 * i)), ' ');
  for (std::size_t c = 0; c < word.size(); ++c)
    word[c] = "aAbBcC"[static_cast<std::size_t>(random.below(6, 64 * i + c + 1))];
  return word;
}

}  // namespace

TEST_CASE("ids count names in order of arrival, and each name keeps its id") {
  names people;
  CHECK(people.find("Anna") == geofact::unknown);
  CHECK(people.intern("Anna") == 0);
  CHECK(people.intern("Berta") == 1);
  CHECK(people.intern("") == 2);
  CHECK(people.intern("Anna") == 0);
  CHECK(people.size() == 3);
  CHECK(people[1] == "Berta");
  CHECK(people.find("berta") == geofact::unknown);
  CHECK(people.all() == std::vector<std::string>{"Anna", "Berta", ""});
}

TEST_CASE("names and ids stay a bijection through growth, copies and moves") {
  names numbers;
  for (int i = 0; i < 20000; ++i) REQUIRE(numbers.intern("name " + std::to_string(i)) == i);
  names copy = numbers;
  const names moved = std::move(numbers);
  copy.intern("one more");
  CHECK(moved.size() == 20000);
  CHECK(moved.find("one more") == geofact::unknown);
  for (int i = 0; i < 20000; ++i) {
    REQUIRE(copy.find(moved[i]) == i);
    REQUIRE(moved.find(copy[i]) == i);
  }
}

TEST_CASE("an id that names nothing is refused with both numbers") {
  names people;
  people.intern("Anna");
  CHECK_THROWS_WITH_AS(people[1], "id 1 is not among the ids of the 1 names", geofact::error);
  CHECK_THROWS_WITH_AS(people[geofact::unknown], "id -1 is not among the ids of the 1 names", geofact::error);
}

TEST_CASE("a misspelt name is answered with the nearest ones") {
  names people;
  CHECK(people.nearest_part("Frnak") == "");
  for (const char* name : {"Josephine", "Franz", "Frank", "Fred", "frank"}) people.intern(name);
  CHECK(people.nearest("FRANK", 2) == std::vector{2, 4});
  CHECK(people.nearest_part("Fran", 2) == R"( (nearest: "Franz", "Frank"))");
  CHECK(people.id("Fred", "subject") == 3);
  CHECK_THROWS_WITH_AS(people.id("Frenk", "subject"),
                       R"(there is no subject called "Frenk" (nearest: "Frank", "frank", "Franz"))", geofact::error);
}

TEST_CASE("asking for no, or for too many, nearest names is fine") {
  names people;
  CHECK(people.nearest("Anna").empty());
  people.intern("Anna");
  CHECK(people.nearest("Anna", 0).empty());
  CHECK(people.nearest("Anna", -1).empty());
  CHECK(people.nearest("Berta", 5) == std::vector{0});
}

TEST_CASE("the limited edit distance agrees with the whole table") {
  const geofact::random_stream random(1);
  std::vector<geofact::index_t> row;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const auto a = random_word(random, 9, 2 * i), b = random_word(random, 9, 2 * i + 1);
    CAPTURE(a);
    CAPTURE(b);
    const int expected = plain_distance(a, b);
    for (int limit = 0; limit < 11; ++limit) {
      const auto found = geofact::detail::edit_distance(geofact::detail::ascii_lower(a), b, limit, row);
      if (expected <= limit)
        REQUIRE(found == expected);
      else
        REQUIRE(found > limit);
    }
  }
}

TEST_CASE("the nearest names are those of an exhaustive search") {
  const geofact::random_stream random(2);
  names words;
  for (std::uint64_t i = 0; i < 400; ++i) words.intern(random_word(random, 12, i));
  for (std::uint64_t i = 400; i < 500; ++i) {
    const auto wanted = random_word(random, 12, i);
    CAPTURE(wanted);
    std::vector<std::pair<int, int>> all;
    for (int id = 0; id < words.size(); ++id) all.emplace_back(plain_distance(wanted, words[id]), id);
    std::sort(all.begin(), all.end());
    const auto nearest = words.nearest(wanted, 5);
    REQUIRE(nearest.size() == 5);
    for (std::size_t k = 0; k < 5; ++k) CHECK(nearest[k] == all[k].second);
  }
}

TEST_CASE("a name is quoted on one line and cut between letters") {
  CHECK(geofact::in_quotes("Anna") == "\"Anna\"");
  CHECK(geofact::in_quotes("two\nlines") == "\"two lines\"");
  CHECK(geofact::in_quotes(std::string(80, 'x')) == '"' + std::string(80, 'x') + '"');
  CHECK(geofact::in_quotes(std::string(79, 'x') + "\xC3\xA9!") == '"' + std::string(79, 'x') + "...\"");
}

}  // namespace names_test
