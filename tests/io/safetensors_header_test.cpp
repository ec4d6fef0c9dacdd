#include "geofact/io/safetensors_header.hpp"

#include <doctest/doctest.h>

#include "files.hpp"

namespace safetensors_header_test {

using geofact::element;

namespace {

/// A file with this header, padded to a multiple of 8, and as many bytes of data.
std::string file(std::string header, std::size_t data = 0) {
  header.append((8 - header.size() % 8) % 8, ' ');
  std::string text(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) text[i] = static_cast<char>(header.size() >> (8 * i) & 0xFF);
  return text + header + std::string(data, '\0');
}

std::string tensor(const std::string& name, const std::string& type, const std::string& shape,
                   const std::string& offsets) {
  return '"' + name + R"(":{"dtype":")" + type + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + '}';
}

std::string refused(const std::string& bytes) {
  return files::refusal([&] { geofact::parse_safetensors_header(bytes, "f"); });
}

}  // namespace

TEST_CASE("a header gives names, types, shapes, offsets and metadata, in the order of the bytes") {
  const auto bytes = file("{" + tensor("b", "F32", "[2,2]", "[2,18]") + R"(,"__metadata__":{"k":"v","\u00e9":""},)" +
                              tensor("a", "U8", "[2]", "[0,2]") + ',' + tensor("e", "I64", "[0,7]", "[2,2]") + "}",
                          18);
  const auto h = geofact::parse_safetensors_header(bytes, "f");
  REQUIRE(h.entries.size() == 3);
  CHECK(h.entries[0].name == "a");
  CHECK(h.entries[1].name == "e");
  CHECK(h.entries[2].name == "b");
  CHECK(h.entries[2].type == element::f32);
  CHECK(h.entries[2].shape == std::vector<geofact::index_t>{2, 2});
  CHECK((h.entries[2].begin == 2 && h.entries[2].end == 18));
  CHECK(h.metadata == geofact::text_map{{"k", "v"}, {"\xC3\xA9", ""}});
  CHECK(h.data_offset + 18 == static_cast<geofact::index_t>(bytes.size()));
  CHECK(geofact::parse_safetensors_header(file("{}"), "f").entries.empty());
}

TEST_CASE("offsets that contradict the shape, the file or each other are refused with tensor and numbers") {
  CHECK(refused(file("{" + tensor("a", "F32", "[2,3]", "[0,20]") + "}", 20)) ==
        "f: tensor \"a\": shape [2, 3] of F32 takes 24 bytes, but its data_offsets [0, 20] span 20");
  CHECK(refused(file("{" + tensor("a", "F32", "[2,3]", "[0,24]") + "}", 20)) ==
        "f: tensor \"a\" lies in bytes 0 to 24 of the data, but 20 are there");
  CHECK(refused(file("{" + tensor("a", "U8", "[4]", "[0,4]") + ',' + tensor("b", "U8", "[4]", "[2,6]") + "}", 6)) ==
        "f: tensor \"b\" begins at byte 2 of the data, inside tensor \"a\", which ends at 4");
  CHECK(refused(file("{" + tensor("a", "U8", "[4]", "[0,4]") + ',' + tensor("b", "U8", "[4]", "[0,4]") + "}", 4)) ==
        "f: tensor \"b\" begins at byte 0 of the data, inside tensor \"a\", which ends at 4");
  CHECK(refused(file("{" + tensor("a", "U8", "[4]", "[0,4]") + ',' + tensor("b", "U8", "[4]", "[6,10]") + "}", 10)) ==
        "f: bytes 4 to 6 of the data, before tensor \"b\", belong to no tensor");
  CHECK(refused(file("{" + tensor("a", "U8", "[4]", "[0,4]") + "}", 5)) ==
        "f: the tensors end at byte 4 of the data, but 5 are there");
  CHECK(refused(file("{}", 1)) == "f: the tensors end at byte 0 of the data, but 1 are there");
  CHECK(refused(file("{" + tensor("a", "U8", "[4]", "[4,0]") + "}", 4)) ==
        "f: tensor \"a\": data_offsets [4, 0] are no begin and end");
  CHECK(
      refused(file("{" + tensor("a", "U8", "[4]", "[0]") + "}", 4)).ends_with("data_offsets [0] are no begin and end"));
  CHECK(refused(file("{" + tensor("a", "U8", "[4]", "[0,4,4]") + "}", 4)).ends_with(" are no begin and end"));
  CHECK(refused(file("{" + tensor("a", "F64", "[4294967296,4294967296]", "[0,0]") + "}")) ==
        "f: tensor \"a\": shape [4294967296, 4294967296] of F64 overflows");
  CHECK(refused(file("{" + tensor("a", "F64", "[0,4294967296,4294967296]", "[0,0]") + "}"))
            .ends_with(" of F64 overflows"));
  CHECK(refused(file("{" + tensor("a", "U8", "[9223372036854775807]", "[0,9223372036854775807]") + "}", 4)) ==
        "f: tensor \"a\" lies in bytes 0 to 9223372036854775807 of the data, but 4 are there");
}

TEST_CASE("headers that are too short, too long or damaged are refused") {
  CHECK(refused("") == "f: no safetensors file: it has 0 bytes, and begins with a count of 8");
  CHECK(refused("abcdefg").starts_with("f: no safetensors file: it has 7 bytes"));
  CHECK(
      refused("abcdefgh").starts_with("f: no safetensors file, or damaged: its header would have 7523094288207667809"));
  CHECK(refused(std::string(8, '\xFF'))
            .starts_with("f: no safetensors file, or damaged: its header would have 1844674407370955"));
  CHECK(refused(std::string("\x01\xE1\xF5\x05\0\0\0\0", 8))
            .ends_with("would have 100000001 bytes; the limit is 100000000"));
  CHECK(refused(std::string("\x00\xE1\xF5\x05\0\0\0\0", 8)) ==
        "f: truncated: its header ends at byte 100000008 but the file at 8");
  CHECK(refused(file("{}").substr(0, 12)) == "f: truncated: its header ends at byte 16 but the file at 12");
  CHECK(refused(file("[]")) == "f: byte 8: no safetensors file, or damaged: the header should begin with {");
  CHECK(refused(file(" {}")) == "f: byte 8: no safetensors file, or damaged: the header should begin with {");
  CHECK(refused(file("")).starts_with("f: byte 8: no safetensors file"));
  CHECK(refused(file("{} x")) == "f: byte 11: text behind the end of the JSON");
  CHECK(refused(file(std::string("{}\0", 3))) == "f: byte 10: text behind the end of the JSON");
}

TEST_CASE("tensors need their three keys once, and a type that is read") {
  CHECK(refused(file("{" + tensor("a", "U64", "[1]", "[0,8]") + "}", 8)) ==
        "f: tensor \"a\" is of dtype U64; only F64 F32 F16 BF16 I64 I32 I16 I8 U8 BOOL are read");
  CHECK(
      refused(file("{" + tensor("a", "f32", "[1]", "[0,4]") + "}", 4)).starts_with("f: tensor \"a\" is of dtype f32;"));
  CHECK(refused(file("{" + tensor("a", "U8", "[1]", "[0,1]") + ',' + tensor("a", "U8", "[1]", "[1,2]") + "}", 2))
            .ends_with("the key \"a\" stands twice in the object before"));
  CHECK(refused(file(R"({"a":{"dtype":"U8","shape":[1]}})"))
            .ends_with("tensor \"a\" needs a dtype, a shape and data_offsets"));
  CHECK(refused(file(R"({"a":{"dtype":"U8","shape":[1],"shape":[1]}})", 1)).find("stands twice") != std::string::npos);
  CHECK(refused(file(R"({"a":{"dtype":"U8","shape":[1],"more":[0,1]}})", 1))
            .ends_with("tensor \"a\" has the unknown key \"more\""));
  CHECK(refused(file(R"({"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}})", 1))
            .ends_with("expected an unsigned integer"));
  CHECK(refused(file(R"({"a":[0]})")).ends_with("expected {"));
  CHECK(refused(file(R"({"__metadata__":{"k":1}})")).ends_with("expected \""));
  CHECK(refused(file(R"({"__metadata__":{"k":"1","k":"2"}})")).ends_with("stands twice in the object before"));
}

}  // namespace safetensors_header_test
