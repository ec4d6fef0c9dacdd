#include "geofact/io/npy.hpp"

#include <doctest/doctest.h>

#include "files.hpp"

namespace npy_test {

using namespace geofact;
using files::fixture;

namespace {

/// The bytes of the pattern as `type`.
std::vector<std::byte> pattern_bytes(element type, const std::vector<geofact::index_t>& shape) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(bytes_of(type, shape, "")));
  visit_element(type, [&](auto x) {
    for (geofact::index_t k = 0; k < count_of(shape); ++k) {
      x = convert<decltype(x)>(files::pattern(type, k));
      std::memcpy(bytes.data() + k * size_of(type), &x, sizeof(x));
    }
  });
  return bytes;
}

}  // namespace

TEST_CASE("every array that NumPy wrote is read number by number, and written again byte by byte") {
  const files::temporary_folder folder;
  const auto check = [&](const std::string& name, element type, const std::vector<geofact::index_t>& shape,
                         bool fortran) {
    CAPTURE(name);
    const npy_file file(fixture(name));
    CHECK(file.values().type() == type);
    CHECK(file.values().shape() == shape);
    CHECK(files::numbers_of(file.values()) == files::pattern_numbers(type, shape));
    write_npy(folder / "a.npy", file.values(), {.column_major = fortran});
    CHECK(files::contents(folder / "a.npy") == files::contents(fixture(name)));
  };
  for (const element type : elements)
    if (type != element::bf16) check(std::string(name_of(type)) + "_2d.npy", type, {3, 4}, false);
  for (const int axes : {15, 36, 57})  // where the padding of the header comes out tight
    check("F32_axes" + std::to_string(axes) + ".npy", element::f32,
          std::vector<geofact::index_t>(static_cast<std::size_t>(axes), 1), false);
  for (const auto& kind : files::kinds) {
    check("F32_" + kind.name + ".npy", element::f32, kind.shape, false);
    check("F32_" + kind.name + "_fortran.npy", element::f32, kind.shape, true);
  }
}

TEST_CASE("versions 2.0 and 3.0 are read") {
  for (const auto* name : {"F32_version2.npy", "F32_version3.npy"}) {
    const npy_file file(fixture(name));
    CHECK(files::numbers_of(file.values()) == files::pattern_numbers(element::f32, {3, 4}));
  }
}

TEST_CASE("what NumPy pickled, or wrote in types that are none of ours, is refused by name") {
  const auto of = [](const char* name) {
    const auto sentence = files::refusal([&] { npy_file file(fixture(name)); });
    return sentence.substr((std::min)(sentence.find(".npy: "), sentence.size()));
  };
  CHECK(of("refused_objects.npy").starts_with(".npy: holds pickled Python objects (dtype |O)"));
  CHECK(of("refused_records.npy").starts_with(".npy: holds records"));
  CHECK(of("refused_big_endian.npy").starts_with(".npy: holds big-endian numbers (dtype >f4)"));
  CHECK(of("refused_words.npy").starts_with(".npy: holds numbers of dtype <U2"));
  CHECK(of("refused_complex.npy").starts_with(".npy: holds numbers of dtype <c8"));
  CHECK(of("refused_bfloat16.npy").starts_with(".npy: holds numbers of dtype <V2"));
}

TEST_CASE("every type, shape and order comes back as it was written, converted to every other type") {
  const files::temporary_folder folder;
  for (const element type : elements)
    for (const auto& kind : files::kinds) {
      const auto bytes = pattern_bytes(type, kind.shape);
      const tensor_view values("pattern", type, kind.shape, false, bytes.data());
      const auto wanted = files::pattern_numbers(type, kind.shape);
      for (const element as : elements)
        for (const bool column_major : {false, true}) {
          CAPTURE(name_of(type));
          CAPTURE(name_of(as));
          CAPTURE(kind.name);
          const auto sentence =
              files::refusal([&] { write_npy(folder / "a.npy", values, {.as = as, .column_major = column_major}); });
          const bool fits_all = std::all_of(wanted.begin(), wanted.end(), [&](double x) {
            return visit_element(as, [&](auto y) { return fits<decltype(y)>(x); });
          });
          CHECK(sentence.empty() == (fits_all && as != element::bf16));
          if (!sentence.empty()) continue;
          const npy_file file(folder / "a.npy");
          CHECK(file.values().type() == as);
          CHECK(file.values().shape() == kind.shape);
          CHECK(files::numbers_of(file.values()) == wanted);
        }
    }
  CHECK(folder.size() == 1);
}

TEST_CASE("matrices go to a file and back") {
  const files::temporary_folder folder;
  const matrix<float> m = matrix<float>::Random(37, 83);
  write_npy(folder / "a.npy", m);
  CHECK(read_npy<float>(folder / "a.npy") == m);
  write_npy(folder / "a.npy", m.transpose());
  CHECK(read_npy<float>(folder / "a.npy") == m.transpose());
  write_npy(folder / "a.npy", m, {.as = element::f16});
  CHECK((read_npy<double>(folder / "a.npy") - m.cast<double>()).cwiseAbs().maxCoeff() <= 0x1p-12);
  const vector<int> v = vector<int>::LinSpaced(5, 0, 4);
  write_npy(folder / "a.npy", v);
  CHECK(npy_file(folder / "a.npy").values().axes() == 1);
  CHECK(read_npy<int>(folder / "a.npy") == v);
}

TEST_CASE("a refused write leaves the old file") {
  const files::temporary_folder folder;
  matrix<float> m = matrix<float>::Ones(3, 4);
  write_npy(folder / "a.npy", m);
  const auto before = files::contents(folder / "a.npy");
  m(1, 2) = 0.5F;
  CHECK(files::refusal([&] { write_npy(folder / "a.npy", m, {.as = element::i16}); }) ==
        folder / "a.npy" + ": holds 0.5 at [1, 2], which I16 cannot hold");
  CHECK(files::refusal([&] { write_npy(folder / "a.npy", m, {.as = element::i16, .column_major = true}); }) ==
        folder / "a.npy" + " (transposed): holds 0.5 at [2, 1], which I16 cannot hold");
  CHECK(files::refusal([&] { write_npy(folder / "a.npy", m, {.as = element::bf16}); }) ==
        folder / "a.npy" + ": NumPy has no BF16; write F32, or a safetensors file");
  CHECK(files::contents(folder / "a.npy") == before);
  CHECK(folder.size() == 1);
}

TEST_CASE("an npy file cut short at any byte, or with one more, is refused") {
  const files::temporary_folder folder;
  for (const auto* name : {"F32_2d.npy", "F32_3d_fortran.npy", "F32_version2.npy", "BOOL_2d.npy", "F32_0d.npy"}) {
    const auto bytes = files::contents(fixture(name));
    for (std::size_t n = 0; n < bytes.size(); ++n) {
      files::put(folder / "a.npy", bytes.substr(0, n));
      const auto sentence = files::refusal([&] { npy_file file(folder / "a.npy"); });
      CHECK_MESSAGE(sentence.starts_with(folder / "a.npy" + ": "), name, " ", n);
    }
    files::put(folder / "a.npy", bytes + 'x');
    CHECK_THROWS_AS(npy_file(folder / "a.npy"), error);
  }
}

}  // namespace npy_test
