// Python reads what geofact writes, and the other way round (check_files.py). GEOFACT_PYTHON names an interpreter other
// than python3.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>

#include "files.hpp"
#include "geofact/io/npy.hpp"
#include "geofact/io/safetensors.hpp"

namespace python_test {

using namespace geofact;

namespace {

/// What a command prints, both streams, and whether it ended well.
std::pair<std::string, bool> output_of(const std::string& command) {
  std::string text;
  FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  return {text, pclose(pipe) == 0};
}

}  // namespace

TEST_CASE("Python reads every type, shape and order that is written here, and what it writes is read here") {
  const char* const chosen = std::getenv("GEOFACT_PYTHON");
  const std::string python = chosen != nullptr ? chosen : "python3";
  if (!output_of(python + " -c 'import numpy, safetensors, ml_dtypes'").second) {
    std::puts("skipped: this python3 has no numpy, safetensors and ml_dtypes");
    return;
  }
  const files::temporary_folder folder;
  std::vector<std::vector<double>> numbers;
  std::vector<named_tensor> tensors;
  for (const element type : elements)
    for (const auto& kind : files::kinds) numbers.push_back(files::pattern_numbers(type, kind.shape));
  std::size_t i = 0;
  for (const element type : elements)
    for (const auto& kind : files::kinds) {
      const tensor_view values("pattern", element::f64, kind.shape, false,
                               reinterpret_cast<const std::byte*>(numbers[i++].data()));
      const auto name = std::string(name_of(type)) + '_' + kind.name;
      tensors.push_back({name, values, type});
      if (type == element::bf16) continue;
      write_npy(folder / (name + "_c.npy"), values, {.as = type});
      write_npy(folder / (name + "_fortran.npy"), values, {.as = type, .column_major = true});
    }
  write_safetensors(folder / "all.safetensors", tensors, {{"k\xC3\xA9y \"\n", "\xF0\x9F\x98\x80\\"}});

  const auto printed = output_of(python + " '" GEOFACT_DATA "/../../tests/io/check_files.py' '" + (folder / "") + "'");
  CHECK_MESSAGE(printed.second, printed.first);
  CHECK(printed.first == "196 arrays agreed\n");

  const safetensors_file file(folder / "from_python.safetensors");
  CHECK(file.entries().size() == tensors.size());
  CHECK(file.metadata() == text_map{{"from", "python"}});
  for (const auto& e : file.entries())
    CHECK(files::numbers_of(file[e.name]) == files::pattern_numbers(e.type, e.shape));
  const npy_file array(folder / "from_python.npy");
  CHECK(files::numbers_of(array.values()) == files::pattern_numbers(element::f16, {3, 4}));
}

}  // namespace python_test
