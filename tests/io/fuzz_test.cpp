// Damaged files: whatever bytes change, a file is read or refused with geofact::error; nothing else happens. Run under
// the sanitizers this finds every read out of bounds.
#include <doctest/doctest.h>

#include "files.hpp"
#include "geofact/foundation/random.hpp"
#include "geofact/io/model_file.hpp"
#include "geofact/io/npy.hpp"

namespace fuzz_test {

using namespace geofact;

namespace {

constexpr std::uint64_t seed = 20240607;

/// `bytes` with up to four changes: bits, bytes, digits, repetitions, cuts; most of them near the front.
std::string damaged(std::string bytes, std::uint64_t stream) {
  const random_stream random(seed, stream);
  std::uint64_t i = 0;
  const int changes = 1 + random.below(4, i++);
  for (int c = 0; c < changes && !bytes.empty(); ++c) {
    const bool is_near = random.below(4, i++) > 0;
    const int reach = static_cast<int>(is_near ? (std::min)(bytes.size(), std::size_t{160}) : bytes.size());
    const auto at = static_cast<std::size_t>(random.below(reach, i++));
    constexpr std::string_view letters = "0123456789{}[]()\",:'\\-. \n";
    switch (random.below(7, i++)) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ 1 << random.below(8, i++));
        break;
      case 1:
        bytes[at] = static_cast<char>(random.below(256, i++));
        break;
      case 2:
        bytes.insert(at, 1, letters[static_cast<std::size_t>(random.below(static_cast<int>(letters.size()), i++))]);
        break;
      case 3:
        bytes.erase(at, static_cast<std::size_t>(1 + random.below(4, i++)));
        break;
      case 4:
        bytes.insert(at, bytes.substr(at, static_cast<std::size_t>(random.below(40, i++))));
        break;
      case 5:
        bytes[at] = static_cast<char>('0' + random.below(10, i++));
        break;
      default:
        bytes.resize(at);
        break;
    }
  }
  return bytes;
}

/// Reads all of a tensor.
void read(const tensor_view& t) {
  if (t.axes() > 2 && t.shape()[0] < 100)
    for (geofact::index_t i = 0; i < t.shape()[0]; ++i) read(t.slice(i));
  if (t.axes() <= 2) t.to_matrix<float>(), t.transposed().to_matrix<double>();
  if (t.count() < 10000) for_each_block(t.transposed(), element::bf16, [](auto) {});
}

/// How many of `count` damaged copies of a file `open` could still read.
template <class Open>
int survivors(const std::string& bytes, std::uint64_t count, const Open& open) {
  const files::temporary_folder folder;
  int survived = 0;
  for (std::uint64_t n = 0; n < count; ++n) {
    CAPTURE(n);
    CAPTURE(seed);
    files::put(folder / "f", damaged(bytes, n));
    try {
      open(folder / "f");
      ++survived;
    } catch (const error&) {
    }
  }
  return survived;
}

}  // namespace

TEST_CASE("a damaged npy file is read or refused, and never ends the program") {
  MESSAGE("seed ", seed);
  for (const auto* name :
       {"F32_2d.npy", "F32_3d_fortran.npy", "BOOL_2d.npy", "F32_version2.npy", "refused_objects.npy"}) {
    const int survived = survivors(files::contents(files::fixture(name)), 1500,
                                   [](const std::string& path) { read(npy_file(path).values()); });
    CHECK(survived < 1000);
  }
}

TEST_CASE("a damaged safetensors file is read or refused, and never ends the program") {
  MESSAGE("seed ", seed);
  for (const auto* name : {"types.safetensors", "shapes.safetensors", "nothing.safetensors"}) {
    const int survived = survivors(files::contents(files::fixture(name)), 2000, [](const std::string& path) {
      const safetensors_file file(path);
      for (const auto& e : file.entries()) read(file[e.name]);
    });
    CHECK(survived < 1000);
  }
}

TEST_CASE("a damaged model file is read or refused, and never ends the program") {
  MESSAGE("seed ", seed);
  const files::temporary_folder folder;
  sizes<> n;
  n.entities = 3, n.relations = 2, n.width = 4, n.hidden = 5, n.layers = 1, n.output = 4, n.attributes = 3;
  write_model(folder / "m", parameters<float>(n));
  survivors(files::contents(folder / "m"), 3000, [](const std::string& path) { read_model<float>(path); });
}

TEST_CASE("damaged headers are parsed or refused, and never end the program") {
  MESSAGE("seed ", seed);
  const auto types = files::contents(files::fixture("types.safetensors"));
  const auto array = files::contents(files::fixture("F32_3d.npy"));
  int parsed = 0;
  for (std::uint64_t n = 0; n < 30000; ++n) {
    CAPTURE(n);
    try {
      parse_safetensors_header(damaged(types, n), "f");
      ++parsed;
    } catch (const error&) {
    }
    try {
      parse_npy_header(damaged(array, n), "f");
      ++parsed;
    } catch (const error&) {
    }
  }
  CHECK(parsed < 30000);
}

}  // namespace fuzz_test
