#include "geofact/io/json.hpp"

#include <doctest/doctest.h>

#include "files.hpp"

namespace json_test {

using geofact::json_reader;

namespace {

const std::string source = "f";

std::string read_string(std::string_view text) {
  json_reader json(text, source);
  auto word = json.read_string();
  json.finish();
  return word;
}

std::vector<geofact::index_t> read_integers(std::string_view text) {
  json_reader json(text, source);
  auto numbers = json.read_integers();
  json.finish();
  return numbers;
}

/// An object of strings, as key=value;
std::string read_object(std::string_view text) {
  std::string all;
  json_reader json(text, source);
  json.read_object([&](const std::string& key) { ((all += key) += '=') += json.read_string() + ';'; });
  json.finish();
  return all;
}

}  // namespace

TEST_CASE("strings are read with every escape, and written so that they are read the same") {
  CHECK(read_string(R"("a\"\\\/\b\f\n\r\tz")") == "a\"\\/\b\f\n\r\tz");
  CHECK(read_string(R"("\u0041\u00e9\u20AC\ud83D\ude00\u0000x")") ==
        std::string("A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\0x", 12));
  CHECK(read_string("  \"\xC3\xA9\x7F\" \n") == "\xC3\xA9\x7F");
  std::string all;
  for (int c = 0; c < 128; ++c) all += static_cast<char>(c);
  all += "\xC3\xA9 \xF0\x9F\x98\x80";
  CHECK(read_string(geofact::json_string(all, source)) == all);
  CHECK(geofact::json_string("\x01\x1F\n\"\\/\x7F", source) == "\"\\u0001\\u001f\\n\\\"\\\\/\x7F\"");
  CHECK_THROWS_AS(geofact::json_string("\xFF", source), geofact::error);
}

TEST_CASE("every code point is read from its escape as from its UTF-8") {
  int wrong = 0;
  for (std::uint32_t code = 1; code < 0x110000; ++code) {
    if (code >= 0xD800 && code <= 0xDFFF) continue;
    char escape[16];
    const auto top = code - 0x10000;
    if (code < 0x10000)
      std::snprintf(escape, sizeof(escape), "\"\\u%04x\"", code);
    else
      std::snprintf(escape, sizeof(escape), "\"\\u%04X\\u%04x\"", 0xD800 + (top >> 10), 0xDC00 + (top & 0x3FF));
    const auto word = read_string(escape);
    const auto length = static_cast<std::size_t>(geofact::utf8_bytes(word));
    wrong += length != word.size() || read_string(geofact::json_string(word, source)) != word;
    wrong += length != (code < 0x80 ? 1U : code < 0x800 ? 2U : code < 0x10000 ? 3U : 4U);
  }
  CHECK(wrong == 0);
}

TEST_CASE("strings that JSON does not allow are refused with their byte") {
  CHECK(files::refusal([] { read_string("\"a\nb\""); }) == "f: byte 2: a control byte inside a string");
  CHECK(files::refusal([] { read_string("\"ab"); }) == "f: byte 3: a string does not end");
  CHECK(files::refusal([] { read_string("'ab'"); }) == "f: byte 0: expected \"");
  for (const auto* text : {R"("\x41")", R"("\)", R"("\u12")", R"("\u12g4")", R"("\ud800")", R"("\ud800\n")",
                           R"("\udc00")", R"("\ud800\ud800")", "\"\xFF\"", "\"\xC0\x80\"", "\"\xED\xA0\x80\"",
                           "\"\xE2\x82\"", "\"\xF4\x90\x80\x80\"", "\"\x80\"", R"("a" "b")", ""})
    CHECK_MESSAGE(files::refusal([&] { read_string(text); }).starts_with("f: byte "), text);
}

TEST_CASE("arrays hold unsigned integers only") {
  CHECK(read_integers("[]").empty());
  CHECK(read_integers(" [ 0 , 10,9223372036854775807 ] ") ==
        std::vector<geofact::index_t>{0, 10, std::numeric_limits<geofact::index_t>::max()});
  for (const auto* text : {"[1,]", "[,1]", "[01]", "[-1]", "[+1]", "[1.0]", "[1e3]", "[1 2]", "[\"1\"]", "[[1]]", "[1",
                           "[", "1", "[true]", "[1]]", "[0x1]"})
    CHECK_MESSAGE(files::refusal([&] { read_integers(text); }).starts_with("f: byte "), text);
  CHECK(files::refusal([] { read_integers("[9223372036854775808]"); }) == "f: byte 19: an integer beyond 2^63");
}

TEST_CASE("objects are read in order, and a key that stands twice is refused") {
  CHECK(read_object("{}") == "");
  CHECK(read_object(" {\"b\":\"1\" ,\r\n\t\"a\" : \"2\"} ") == "b=1;a=2;");
  CHECK(files::refusal([] { read_object(R"({"a":"1","b":"","a":"1"})"); }) ==
        "f: byte 24: the key \"a\" stands twice in the object before");
  CHECK_FALSE(files::refusal([] { read_object("{\"a\":\"1\",\"\\u0061\":\"1\"}"); }).empty());
  for (const auto* text : {"{", "{\"a\"}", "{\"a\":}", "{\"a\":\"1\",}", "{,}", "{a:\"1\"}", "{\"a\":\"1\"}}",
                           "{\"a\":null}", "{\"a\":{}}", "{\"a\":[]}", "{\"a\":\"1\" \"b\":\"2\"}", "{} {}"})
    CHECK_MESSAGE(files::refusal([&] { read_object(text); }).starts_with("f: byte "), text);
}

TEST_CASE("deep nesting is refused at the first brace that was not asked for") {
  const std::string deep(10'000'000, '{');
  CHECK(files::refusal([&] { read_object(deep); }) == "f: byte 1: expected \"");
}

TEST_CASE("numbers are read as JSON writes them, and nothing else is") {
  const auto read = [](std::string_view text) {
    json_reader json(text, source);
    const double number = json.read_number();
    json.finish();
    return number;
  };
  CHECK(read(" -0.5e+1 ") == -5);
  CHECK(read("0") == 0);
  CHECK(read("1E-3") == 1e-3);
  CHECK(read("1.7976931348623157e308") == 1.7976931348623157e308);
  for (const char* text :
       {"", "-", "+1", "01", "1.", ".5", "1e", "1e+", "nan", "inf", "-Infinity", "1e999", "0x1", "1 2", "--1"})
    CHECK_THROWS_AS(read(text), geofact::error);
}

}  // namespace json_test
