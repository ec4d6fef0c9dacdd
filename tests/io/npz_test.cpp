#include "geofact/io/npz.hpp"

#include <doctest/doctest.h>

#include "files.hpp"

namespace npz_test {

using namespace geofact;

TEST_CASE("the arrays of numpy.savez are read by name, without a copy") {
  const npz_file file(files::fixture("arrays.npz"));
  CHECK(file.names() == std::vector<std::string>{"states", "answers", "words"});
  CHECK(file.contains("answers"));
  CHECK_FALSE(file.contains("answer"));
  const auto states = file["states"];
  CHECK(states.type() == element::f16);
  CHECK(states.shape() == std::vector<index_t>{2, 3, 4});
  CHECK(files::numbers_of(states) == files::pattern_numbers(element::f16, {2, 3, 4}));
  CHECK(files::numbers_of(file["answers"]) == files::pattern_numbers(element::f32, {3, 4}));
  file.release(states.slice(0));
  CHECK(files::numbers_of(states) == files::pattern_numbers(element::f16, {2, 3, 4}));
}

TEST_CASE("what is compressed, no archive, no array or not numbers is refused in words") {
  CHECK(files::refusal([] {
          npz_file(files::fixture("refused_compressed.npz"));
        }).find("states.npy is compressed; save it with numpy.savez") != std::string::npos);
  CHECK(files::refusal([] { npz_file(files::fixture("F32_2d.npy")); }).find("no zip archive") != std::string::npos);
  const npz_file file(files::fixture("arrays.npz"));
  CHECK(files::refusal([&] { file["units"]; }).ends_with("no array \"units\" among states, answers, words"));
  CHECK(files::refusal([&] { file["words"]; }).find("array \"words\": holds numbers of dtype <U2") !=
        std::string::npos);
  CHECK(files::refusal([] { npz_file("/nowhere.npz"); }).find("no such file") != std::string::npos);
}

TEST_CASE("an archive that is cut short at any byte, or changed at any, is refused in words or still read") {
  const std::string whole = files::contents(files::fixture("arrays.npz"));
  const files::temporary_folder folder;
  const std::string path = folder / "hostile.npz";
  for (std::size_t size = 0; size < whole.size(); ++size) {
    files::put(path, std::string_view(whole).substr(0, size));
    CHECK(files::refusal([&] { npz_file{path}; }) != "");
  }
  index_t refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const char change : {'\x01', '\x80', '\xff'}) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(bytes[at] ^ change);
      files::put(path, bytes);
      refused += files::refusal([&] {
                   const npz_file file(path);
                   for (const auto& name : file.names()) files::numbers_of(file[name]);
                 }) != "";
    }
  CHECK(refused > 100);
}

}  // namespace npz_test
