#include "geofact/fact/text.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace text_test {

namespace {

using rows = std::vector<std::vector<std::string>>;

rows read(std::string_view text, const std::string& source = "t.csv") {
  rows result;
  for (geofact::row_reader row(text, source); row.next();)
    result.emplace_back(row.fields().begin(), row.fields().end());
  return result;
}

/// The bytes of a code point, straight from the table of RFC 3629, section 3, whether it may be encoded or not.
std::string encoded(std::uint32_t code, int length) {
  const auto tail = [&](int shift) { return static_cast<char>(0x80 | (code >> shift & 0x3F)); };
  if (length == 1) return {static_cast<char>(code)};
  if (length == 2) return {static_cast<char>(0xC0 | code >> 6), tail(0)};
  if (length == 3) return {static_cast<char>(0xE0 | code >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xF0 | code >> 18), tail(12), tail(6), tail(0)};
}

/// A folder that is removed at the end.
struct temporary_folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("geofact_text_" + std::to_string(getpid()));
  temporary_folder() { std::filesystem::create_directories(path); }
  ~temporary_folder() { std::filesystem::remove_all(path); }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
};

}  // namespace

TEST_CASE("every code point is valid UTF-8 in its shortest form only, and surrogates in none") {
  for (std::uint32_t code = 0; code < 0x200000; ++code) {
    const int shortest = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    const bool allowed = code <= 0x10FFFF && !(0xD800 <= code && code <= 0xDFFF);
    for (int length = shortest; length <= 4; ++length) {
      const auto bytes = encoded(code, length);
      if (geofact::utf8_length(bytes) != (allowed && length == shortest ? length : 0)) {
        CAPTURE(code);
        CAPTURE(length);
        FAIL("wrong length");
      }
    }
  }
}

TEST_CASE("known malformed sequences are no UTF-8") {
  for (std::string_view bytes : {"\x80", "\xBF", "\xC3", "\xC3(", "\xE2\x82", "\xE2(\xA1", "\xF0\x9F\x98",
                                 "\xF0\x9F(\x80", "\xC0\xAF", "\xE0\x80\xAF", "\xF0\x80\x80\xAF", "\xED\xA0\x80",
                                 "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80", "\xFE", "\xFF", ""})
    CHECK(geofact::utf8_length(bytes) == 0);
  static_assert(geofact::utf8_length("\xF0\x9F\x98\x80") == 4);
}

TEST_CASE("bytes that are no text are refused with their line") {
  using namespace std::string_literals;
  const auto message = [](const std::string& text) { return geofact::row_reader(text, "t.tsv"); };
  CHECK_THROWS_WITH_AS(message("a\nb\n\xFFz\n"), "t.tsv:3: not UTF-8, at the byte 255", geofact::error);
  CHECK_THROWS_WITH_AS(message("\xFF\xFE"
                               "a\0"s),
                       "t.tsv:1: not UTF-8, at the byte 255", geofact::error);
  CHECK_THROWS_WITH_AS(message("a\nb\0"s), "t.tsv:2: holds a NUL byte", geofact::error);
  CHECK_THROWS_WITH_AS(message("a\n\x1B[0m"), "t.tsv:2: holds the control byte 27", geofact::error);
  CHECK_THROWS_WITH_AS(message("a\x7F"), "t.tsv:1: holds the control byte 127", geofact::error);
  CHECK_THROWS_WITH_AS(message("a\rb"), "t.tsv:1: holds the control byte 13", geofact::error);
}

TEST_CASE("rows end with LF, CRLF or the text, and know their line") {
  for (std::string_view text : {"a\tb\nc\td\n", "a\tb\r\nc\td\r\n", "a\tb\nc\td", "a\tb\r\nc\td\r",
                                "\xEF\xBB\xBF"
                                "a\tb\nc\td",
                                "# comment, with a comma\n\n  \r\na\tb\n#\nc\td\n"})
    CHECK(read(text, "t.tsv") == rows{{"a", "b"}, {"c", "d"}});
  const std::string text = "#\n\na,\"1\n2\"\n\nb,3\n";
  geofact::row_reader row(text, "t.csv");
  REQUIRE(row.next());
  CHECK(row.line() == 3);
  CHECK(row[1] == "1\n2");
  REQUIRE(row.next());
  CHECK(row.line() == 6);
  CHECK(row.size() == 2);
  CHECK_FALSE(row.next());
  CHECK_FALSE(row.next());
  CHECK(read("").empty());
  CHECK(read("\xEF\xBB\xBF").empty());
  CHECK(read("# nothing").empty());
}

TEST_CASE("blanks around fields are dropped, inside fields and quotes kept; fields may be empty") {
  CHECK(read("  a b ,\t c\t, \" d \" ,\n,\n") == rows{{"a b", "c", " d ", ""}, {"", ""}});
  CHECK(read("\t\n a \t\n", "t.tsv") == rows{{"", ""}, {"a", ""}});
}

TEST_CASE("quoted fields hold commas, quotes, line ends and comment signs") {
  CHECK(read("\"a,b\",\"say \"\"hi\"\"\"\n\"#1\",\"x\r\ny\"\r\n\"\"\"\",\"\"\n") ==
        rows{{"a,b", "say \"hi\""}, {"#1", "x\r\ny"}, {"\"", ""}});
}

TEST_CASE("a quote is a letter like others between tabs") {
  CHECK(read("\"Weird Al\" Y.\t5\" disc\n", "t.tsv") == rows{{"\"Weird Al\" Y.", "5\" disc"}});
}

TEST_CASE("a quote out of place is refused with its line") {
  CHECK_THROWS_WITH_AS(read("a,b\n\"c\nd\",\"e\n\n"), "t.csv:3: a quote begins here and never ends", geofact::error);
  CHECK_THROWS_WITH_AS(read("a\n\"b"), "t.csv:2: a quote begins here and never ends", geofact::error);
  CHECK_THROWS_WITH_AS(read("\"b\"\""), "t.csv:1: a quote begins here and never ends", geofact::error);
  CHECK_THROWS_WITH_AS(read("a\n\"b\"c,d"), "t.csv:2: text follows a closing quote", geofact::error);
  CHECK_THROWS_WITH_AS(read("a\nb\"c\""), "t.csv:2: a quote inside a field that does not begin with one",
                       geofact::error);
}

TEST_CASE("the first row chooses tabs or commas, unless the name ends with .csv") {
  CHECK(read("# a\tb\n\na,b\tc\nd,e\n", "t.txt") == rows{{"a,b", "c"}, {"d,e"}});
  CHECK(read("# a\tb\na,b\nc\td,e\n", "t.txt") == rows{{"a", "b"}, {"c\td", "e"}});
  CHECK(read("a\tb,c\n", "t.csv") == rows{{"a\tb", "c"}});
}

TEST_CASE("a file is read whole, and what is no regular file is refused by name") {
  const temporary_folder folder;
  const auto file = (folder.path / "file.txt").string(), missing = (folder.path / "missing").string();
  const std::string bytes("a\0\r\n\xFF", 5);
  std::ofstream(file, std::ios::binary) << bytes;
  CHECK(geofact::read_file(file) == bytes);
  std::ofstream(file, std::ios::binary | std::ios::trunc).flush();
  CHECK(geofact::read_file(file).empty());
  CHECK_THROWS_WITH_AS(geofact::read_file(missing), (missing + ": no such file").c_str(), geofact::error);
  CHECK_THROWS_WITH_AS(geofact::read_file(folder.path.string()),
                       (folder.path.string() + ": not a regular file").c_str(), geofact::error);
  CHECK_THROWS_WITH_AS(geofact::read_file("/dev/zero"), "/dev/zero: not a regular file", geofact::error);
  CHECK_THROWS_AS(geofact::read_file(""), geofact::error);
}

TEST_CASE("a file larger than memory is refused with both sizes before it is read") {
  const temporary_folder folder;
  const auto file = (folder.path / "huge").string();
  std::ofstream(file).flush();
  const auto size = geofact::physical_memory() + 1;
  std::error_code problem;
  std::filesystem::resize_file(file, static_cast<std::uintmax_t>(size), problem);
  if (problem) return;  // a file system without sparse files
  CHECK_THROWS_WITH_AS(geofact::read_file(file),
                       doctest::Contains((file + " would take " + std::to_string(size)).c_str()), geofact::error);
}

}  // namespace text_test
