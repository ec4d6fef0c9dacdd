#include "geofact/io/npy_header.hpp"

#include <doctest/doctest.h>

#include "files.hpp"

namespace npy_header_test {

using geofact::element;

namespace {

/// A file of version 1.0 with this dict and as many bytes of data.
std::string file(const std::string& dict, std::size_t data = 0) {
  std::string text("\x93NUMPY\x01\0", 8);
  text += static_cast<char>(dict.size() % 256);
  text += static_cast<char>(dict.size() / 256);
  return text + dict + std::string(data, '\0');
}

std::string refused(const std::string& bytes) {
  return files::refusal([&] { geofact::parse_npy_header(bytes, "f"); });
}

std::string with_shape(const std::string& shape) {
  return file("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }\n", 48);
}

}  // namespace

TEST_CASE("the dict of NumPy is read, with any blanks and any order of keys") {
  const auto h =
      geofact::parse_npy_header(file("{'descr': '<f4', 'fortran_order': True, 'shape': (3, 4), }   \n", 48), "f");
  CHECK(h.type == element::f32);
  CHECK(h.is_column_major);
  CHECK(h.shape == std::vector<geofact::index_t>{3, 4});
  CHECK(h.data_offset == 10 + 62);
  CHECK(geofact::parse_npy_header(file("{'shape':(12,),'descr':'<f4','fortran_order':False}\n", 48), "f").shape ==
        std::vector<geofact::index_t>{12});
  CHECK(refused(with_shape("(3, 4)")) == "");
  CHECK(refused(with_shape("(3, 4,)")) == "");
}

TEST_CASE("what is written is read the same, and its numbers begin at a multiple of 64") {
  for (const element type : geofact::elements)
    for (const auto& kind : files::kinds)
      for (const bool is_column_major : {false, true}) {
        if (type == element::bf16) continue;
        const auto text = geofact::npy_header_text(type, kind.shape, is_column_major);
        CHECK(text.size() % 64 == 0);
        const std::string data(static_cast<std::size_t>(geofact::bytes_of(type, kind.shape, "f")), 'x');
        const auto h = geofact::parse_npy_header(text + data, "f");
        CHECK(h.type == type);
        CHECK(h.shape == kind.shape);
        CHECK(h.is_column_major == is_column_major);
      }
  const std::vector<geofact::index_t> many(64, 1);
  CHECK(geofact::parse_npy_header(geofact::npy_header_text(element::u8, many, false) + 'x', "f").shape == many);
}

TEST_CASE("pickled objects, records and foreign types are refused by name") {
  const auto of = [](const std::string& descr) {
    return refused(file("{'descr': " + descr + ", 'fortran_order': False, 'shape': (2,), }\n"));
  };
  CHECK(of("'|O'") == "f: holds pickled Python objects (dtype |O); these are not read, since reading them runs code");
  CHECK(of("[('a', '<f4')]") == "f: holds records (a structured dtype), not numbers of one type");
  CHECK(of("'>f8'") == "f: holds big-endian numbers (dtype >f8); save them with .astype('<f8')");
  for (const auto* descr : {"'<U2'", "'<c8'", "'<f16'", "'|V2'", "'<M8[ns]'", "'f4'", "''", "'<u4'", "'|S3'"})
    CHECK_MESSAGE(of(descr).starts_with("f: holds numbers of dtype "), descr);
}

TEST_CASE("hostile shapes are refused") {
  for (const auto* shape : {"(-1,)", "(3)", "(,)", "3", "[3, 4]", "(3, 4", "(3 4)", "(03,)", "(3L, 4L)", "(3.0, 4)",
                            "(0x3,)", "(1234567890123456789,)", "('3',)", "(3,,4)", "((3, 4))", "(None,)"})
    CHECK_MESSAGE(refused(with_shape(shape)).starts_with("f: damaged npy header at byte "), shape);
  CHECK(refused(with_shape("(4294967296, 4294967296)")) == "f: shape [4294967296, 4294967296] of F32 overflows");
  CHECK(refused(with_shape("(0, 4294967296, 4294967296)")).ends_with(" of F32 overflows"));
  CHECK(refused(with_shape("(1000000000000,)")) ==
        "f: shape [1000000000000] of F32 takes 4000000000000 bytes from byte 80 on, but 48 are there");
  std::string many = "(";
  for (int i = 0; i < 65; ++i) many += "1, ";
  CHECK(refused(with_shape(many + ")")).ends_with("more than 64 axes"));
  CHECK(refused(with_shape("(13,)")) == "f: shape [13] of F32 takes 52 bytes from byte 69 on, but 48 are there");
  CHECK(refused(with_shape("(11,)")) == "f: shape [11] of F32 takes 44 bytes from byte 69 on, but 48 are there");
}

TEST_CASE("dicts that NumPy does not write are refused") {
  const std::string rest = "'fortran_order': False, 'shape': (), }\n";
  for (const std::string& dict : std::vector<std::string>{
           "{" + rest, "{'descr': '<f4', 'shape': (), }\n", "{}\n", "", "\n",
           "{'descr': '<f4', 'descr': '<f4', " + rest, "{'descr': '<f4', 'more': 1, " + rest,
           "{\"descr\": \"<f4\", " + rest, "{'descr': '<f4' " + rest, "{'descr' '<f4', " + rest,
           "{'descr: '<f4', " + rest, "{'descr': '<f4', 'fortran_order': 0, 'shape': (), }\n",
           "{'descr': '<f4', 'fortran_order': false, 'shape': (), }\n", "{'descr': '<f4', " + rest + "x",
           "{'descr': '<f4', " + rest + "\n", "{'descr': '<f4', 'fortran_order': True, 'shape': ()",
           "{'descr': '<f4', 'fortran_order': True, 'shape': (), }", "{'descr': '\xC3\xA9', " + rest,
           "['descr', '<f4']\n"})
    CHECK_MESSAGE(refused(file(dict, 4)).starts_with("f: damaged npy header at byte "), dict);
}

TEST_CASE("files that are no npy files, of another version or cut short in the header are refused") {
  CHECK(refused("") == "f: no npy file: it does not begin with \\x93NUMPY");
  CHECK(refused("PK\x03\x04 and more than ten bytes").starts_with("f: no npy file"));
  CHECK(refused("\x93NUMPY\x01") == "f: truncated npy header: 7 bytes are there");
  auto bytes = with_shape("(12,)");
  bytes[6] = 4;
  CHECK(refused(bytes) == "f: npy version 4.0; versions 1.0, 2.0 and 3.0 are read");
  bytes[6] = 1, bytes[7] = 1;
  CHECK(refused(bytes) == "f: npy version 1.1; versions 1.0, 2.0 and 3.0 are read");
  bytes[7] = 0, bytes[9] = '\xFF';
  CHECK(refused(bytes) == "f: the npy header should end at byte 65349 but only 117 bytes are there");
  CHECK(refused(std::string("\x93NUMPY\x02\0\xFF\xFF\xFF\xFF", 12)) ==
        "f: the npy header should end at byte 4294967307 but only 12 bytes are there");
  CHECK(refused(std::string("\x93NUMPY\x02\0\xFF\0\0", 11)) == "f: truncated npy header: 11 bytes are there");
}

}  // namespace npy_header_test
