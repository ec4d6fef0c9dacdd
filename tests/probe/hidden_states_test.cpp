#include "geofact/probe/hidden_states.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "../io/files.hpp"

namespace hidden_states_test {

using namespace geofact;
using files::refusal;
using probe::hidden_states;

namespace {

/// Three layers of 4 subjects x 2 coordinates: 100 layer + 10 subject + coordinate.
struct states_file {
  files::temporary_folder folder;
  std::vector<float> numbers;
  std::string names = folder / "names.txt";
  states_file() {
    for (int l = 0; l < 3; ++l)
      for (int s = 0; s < 4; ++s)
        for (int i = 0; i < 2; ++i) numbers.push_back(static_cast<float>(100 * l + 10 * s + i));
    files::put(names, "a\nb\r\nc c\nd\n");
  }
  tensor_view view(std::vector<index_t> shape = {3, 4, 2}) const {
    return {"numbers", element::f32, std::move(shape), false, reinterpret_cast<const std::byte*>(numbers.data())};
  }
  std::string safetensors(const text_map& metadata, std::optional<element> as = {}) const {
    const std::string path = folder / "states.safetensors";
    write_safetensors(path, {{"states", view(), as}}, metadata);
    return path;
  }
};

void check_layers(const hidden_states& file) {
  REQUIRE(file.layers() == 3);
  REQUIRE(file.subjects() == 4);
  REQUIRE(file.width() == 2);
  for (index_t l = 0; l < 3; ++l) {
    const auto states = file.layer(l);
    REQUIRE(states.rows() == 2);
    REQUIRE(states.cols() == 4);
    for (index_t s = 0; s < 4; ++s)
      for (index_t i = 0; i < 2; ++i) CHECK(states(i, s) == static_cast<float>(100 * l + 10 * s + i));
  }
  CHECK(file.subject_names()[2] == "c c");
}

}  // namespace

TEST_CASE("layers are read from safetensors in F32, F16 and BF16, and from npy") {
  const states_file made;
  for (const element as : {element::f32, element::f16, element::bf16, element::f64}) {
    const hidden_states file(made.safetensors({{"subjects", "a\nb\nc c\nd"}, {"layers", "0,8,16"}}, as));
    if (as != element::bf16) check_layers(file);  // bf16 has 8 bits: 211 is rounded
    CHECK(file.layer(0)(1, 3) == 31);
    CHECK(file.layer_name(1) == "8");
    CHECK(file.answers().size() == 0);
  }
  const std::string npy = made.folder / "states.npy";
  write_npy(npy, made.view());
  check_layers(hidden_states(npy, "", made.names));
  write_npy(npy, made.view(), {.column_major = true});
  check_layers(hidden_states(npy, "", made.names));
  write_npy(npy, made.view({12, 2}));
  files::put(made.names, "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\n\n");
  const hidden_states flat(npy, "", made.names);
  CHECK(flat.layers() == 1);
  CHECK(flat.layer(0)(1, 11) == 231);
}

TEST_CASE("an archive of NumPy is read, the array by its name") {
  const states_file made;
  files::put(made.names, "a\nb\nc\n");
  const hidden_states file(files::fixture("arrays.npz"), "", made.names);
  CHECK(file.layers() == 2);
  CHECK(file.subjects() == 3);
  CHECK(file.width() == 4);
  CHECK(file.layer(1)(0, 0) == static_cast<float>(files::pattern(element::f16, 12)));
  CHECK(hidden_states(files::fixture("arrays.npz"), "answers", made.names).layers() == 1);
  CHECK(refusal([&] { hidden_states(files::fixture("arrays.npz"), "x", made.names); }).find("no array \"x\"") !=
        std::string::npos);
}

TEST_CASE("answers and what the file says about itself are read with it") {
  const states_file made;
  const std::string path = made.folder / "states.safetensors";
  write_safetensors(path, {{"states", made.view()}, {"answers", made.view({6, 4})}},
                    {{"subjects", "a\nb\nc\nd"}, {"answers", "p\nq\nr\ns\nt\nu"}, {"model", "tiny"}});
  const hidden_states file(path);
  CHECK(file.answers().rows() == 4);
  CHECK(file.answers()(3, 1) == 31);
  CHECK(file.answer_names().find("t") == 4);
  CHECK(*file.metadata("model") == "tiny");
  CHECK(file.metadata("prompt") == nullptr);
  write_safetensors(path, {{"states", made.view()}, {"answers", made.view({6, 4})}},
                    {{"subjects", "a\nb\nc\nd"}, {"answers", "p\nq"}});
  CHECK(refusal([&] { hidden_states{path}; }).ends_with("vectors of 6 answers, but 2 names"));
}

TEST_CASE("names that are missing, doubled, empty or too few are refused with their line") {
  const states_file made;
  CHECK(refusal([&] { hidden_states(made.safetensors({})); }).find("does not name its subjects") != std::string::npos);
  CHECK(refusal([&] {
          hidden_states(made.safetensors({{"subjects", "a\nb\na\nd"}}));
        }).ends_with("subjects:3: \"a\" stands already on line 1"));
  CHECK(refusal([&] {
          hidden_states(made.safetensors({{"subjects", "a\n\nc\nd"}}));
        }).ends_with("subjects:2: the name is empty"));
  CHECK(refusal([&] {
          hidden_states(made.safetensors({{"subjects", "a\nb"}}));
        }).ends_with("states of 4 subjects, but 2 names"));
  CHECK(refusal([&] { hidden_states(made.safetensors({{"subjects", ""}})); }).ends_with("no names"));
  CHECK(refusal([&] {
          hidden_states(made.safetensors({{"subjects", "a\nb\nc\nd"}, {"layers", "1,2"}}));
        }).ends_with("3 layers, but 2 names of layers"));
}

TEST_CASE("shapes that are no states, other files and numbers that are not finite are refused") {
  states_file made;
  const std::string npy = made.folder / "states.npy";
  write_npy(npy, made.view({24}));
  CHECK(refusal([&] { hidden_states(npy, "", made.names); }).find("[24] is neither [subjects, width] nor") !=
        std::string::npos);
  write_npy(npy, made.view({3, 0, 2}));
  CHECK(refusal([&] { hidden_states(npy, "", made.names); }).find("holds no numbers") != std::string::npos);
  CHECK(refusal([&] { hidden_states("states.txt"); }).find(".npy, .npz and .safetensors") != std::string::npos);
  CHECK(refusal([&] { hidden_states(made.folder / "gone.npy"); }).find("no such file") != std::string::npos);
  made.numbers[13] = std::numeric_limits<float>::quiet_NaN();  // layer 1, subject 2, coordinate 1
  const hidden_states file(made.safetensors({{"subjects", "a\nb\nc\nd"}}));
  CHECK(file.layer(0)(0, 0) == 0);
  CHECK(refusal([&] { file.layer(1); }).ends_with("row 2 (\"c\"), column 1 is not finite"));
}

}  // namespace hidden_states_test
