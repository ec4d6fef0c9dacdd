#include "geofact/io/safetensors.hpp"

#include <doctest/doctest.h>

#include "files.hpp"

namespace safetensors_test {

using namespace geofact;
using files::fixture;

namespace {

/// Kilobytes of mapped files that this process holds in memory, or 0 where the system does not tell.
long file_memory() {
  std::ifstream status("/proc/self/status");
  long kilobytes = 0;
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("RssFile:") || line.starts_with("RssShmem:"))
      kilobytes += std::atol(line.c_str() + line.find(':') + 1);
  return kilobytes;
}

}  // namespace

TEST_CASE("every tensor that Python wrote is read number by number, and the file written again byte by byte") {
  const files::temporary_folder folder;
  const auto check = [&](const std::string& name, std::size_t count) {
    const safetensors_file file(fixture(name));
    CHECK(file.entries().size() == count);
    std::vector<named_tensor> tensors;
    for (const auto& e : file.entries()) {
      CAPTURE(e.name);
      CHECK(files::numbers_of(file[e.name]) == files::pattern_numbers(e.type, e.shape));
      tensors.insert(tensors.begin(), {e.name, file[e.name]});
    }
    write_safetensors(folder / name, tensors, file.metadata());
    CHECK(files::contents(folder / name) == files::contents(fixture(name)));
  };
  check("types.safetensors", elements.size());
  check("shapes.safetensors", files::kinds.size());
  check("nothing.safetensors", 0);
}

TEST_CASE("the types, shapes and metadata of a file are told before a tensor is read") {
  const safetensors_file file(fixture("types.safetensors"));
  CHECK(file.metadata() == text_map{{"a \"key\" \xC3\xA9\n", "a\\value \xF0\x9F\x98\x80"}});
  for (const element type : elements) {
    const auto t = file[std::string(name_of(type)) + "_2d"];
    CHECK(t.type() == type);
    CHECK(t.shape() == std::vector<geofact::index_t>{3, 4});
    CHECK(t.to_matrix<double>()(1, 2) == files::pattern(type, 6));
  }
  CHECK(file.contains("F32_2d"));
  CHECK_FALSE(file.contains("F32"));
  CHECK(files::refusal([&] { file["F32"]; }) ==
        fixture("types.safetensors") +
            ": no tensor \"F32\" among its 10: I64_2d, F64_2d, F32_2d, I32_2d, BF16_2d, F16_2d, I16_2d, I8_2d, ...");
  CHECK(files::refusal([&] { file["F32_2d"].to_matrix<int>(); }) ==
        fixture("types.safetensors") + ": tensor \"F32_2d\": holds -9.75 at [0, 0], which I32 cannot hold");
  CHECK(files::refusal([] {
          safetensors_file(fixture("refused_U64.safetensors"));
        }).find("tensor \"code\" is of dtype U64") != std::string::npos);
}

TEST_CASE("matrices go to a file and back, in their own or another type, aligned, wider types first") {
  const files::temporary_folder folder;
  const matrix<float> a = matrix<float>::Random(33, 70);
  const matrix<double> b = matrix<double>::Random(5, 7);
  const vector<int> c = vector<int>::LinSpaced(9, -4, 4);
  const matrix<bool> d = a.array() > 0;
  write_safetensors(
      folder / "f",
      {{"d", d}, {"z", a}, {"a", a, element::bf16}, {"b", b}, {"c", c, element::i8}, {"t", a.transpose()}},
      {{"k", "v"}});
  const safetensors_file file(folder / "f");
  std::string order;
  for (const auto& e : file.entries()) {
    order += e.name;
    CHECK(reinterpret_cast<std::uintptr_t>(file[e.name].data()) % static_cast<std::size_t>(size_of(e.type)) == 0);
  }
  CHECK(order == "btzacd");
  CHECK(file["z"].to_matrix<float>() == a);
  CHECK(file["t"].map_transposed<float>() == a);
  CHECK(file["b"].to_matrix<double>() == b);
  CHECK(file["c"].to_matrix<int>() == c);
  CHECK(file["c"].shape() == std::vector<geofact::index_t>{9});
  CHECK(file["d"].to_matrix<bool>() == d);
  CHECK((file["a"].to_matrix<float>() - a).cwiseAbs().maxCoeff() <= 0x1p-9F);
  CHECK(file.metadata() == text_map{{"k", "v"}});
}

TEST_CASE("lists that make no file are refused, and the old file stays") {
  const files::temporary_folder folder;
  const matrix<float> a = matrix<float>::Constant(2, 2, 1.5F);
  write_safetensors(folder / "f", {{"a", a}});
  const auto before = files::contents(folder / "f");
  const auto refused = [&](const std::vector<named_tensor>& tensors, const text_map& metadata = {}) {
    return files::refusal([&] { write_safetensors(folder / "f", tensors, metadata); });
  };
  CHECK(refused({{"a", a}, {"b", a}, {"a", a}}) == folder / "f" + ": two tensors called \"a\"");
  CHECK(refused({{"a", a}, {"a", a, element::f16}}) == folder / "f" + ": two tensors called \"a\"");
  CHECK(refused({{"__metadata__", a}}) == folder / "f" + ": no tensor can be called \"__metadata__\"");
  CHECK(refused({{"\xFF", a}}) == folder / "f" + ": the name \"\xFF\" is not UTF-8");
  CHECK(refused({}, {{"k", "\xC3"}}) == folder / "f" + ": the name \"\xC3\" is not UTF-8");
  CHECK(refused({{"a", a, element::u8}}) == folder / "f" + ": tensor \"a\": holds 1.5 at [0, 0], which U8 cannot hold");
  CHECK(files::contents(folder / "f") == before);
  CHECK(folder.size() == 1);
}

TEST_CASE("a safetensors file cut short at any byte, or with one more, is refused") {
  const files::temporary_folder folder;
  for (const auto* name : {"types.safetensors", "shapes.safetensors", "nothing.safetensors"}) {
    const auto bytes = files::contents(fixture(name));
    for (std::size_t n = 0; n < bytes.size(); ++n) {
      files::put(folder / "f", bytes.substr(0, n));
      const auto sentence = files::refusal([&] { safetensors_file file(folder / "f"); });
      CHECK_MESSAGE(sentence.starts_with(folder / "f" + ": "), name, " ", n);
    }
    files::put(folder / "f", bytes + 'x');
    CHECK_THROWS_AS(safetensors_file(folder / "f"), error);
  }
}

TEST_CASE("a header of any length is read, however its numbers then lie") {
  const files::temporary_folder folder;
  const std::string header = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  for (std::size_t blanks = 0; blanks < 9; ++blanks) {
    std::string bytes(8, '\0');
    bytes[0] = static_cast<char>(header.size() + blanks);
    const float numbers[] = {1.5F, -2};
    bytes += header + std::string(blanks, ' ') + std::string(reinterpret_cast<const char*>(numbers), 8);
    files::put(folder / "f", bytes);
    CHECK(safetensors_file(folder / "f")["a"].to_matrix<float>() == vector<float>{{1.5F, -2}});
    CHECK(safetensors_file(folder / "f")["a"].to_matrix<double>() == vector<double>{{1.5, -2}});
  }
}

TEST_CASE("hidden states of many layers are read one layer at a time, and only that layer is kept in memory") {
  const files::temporary_folder folder;
  constexpr int layers = 24, subjects = 256, width = 1024;
  const geofact::index_t layer_bytes = geofact::index_t{4} * subjects * width;
  std::string header = "{\"h\":{\"dtype\":\"F32\",\"shape\":[24,256,1024],\"data_offsets\":[0," +
                       std::to_string(layers * layer_bytes) + "]}}";
  header.append((8 - header.size() % 8) % 8, ' ');
  std::string start(8, '\0');
  start[0] = static_cast<char>(header.size());
  {
    std::ofstream out(folder / "f", std::ios::binary);
    out << start << header;
    for (int l = 0; l < layers; ++l) {
      const std::vector<float> layer(static_cast<std::size_t>(subjects * width), static_cast<float>(l));
      out.write(reinterpret_cast<const char*>(layer.data()), layer_bytes);
    }
  }
  const safetensors_file file(folder / "f");
  const auto states = file["h"];
  const auto read_all = [&](bool releases) {
    const long before = file_memory();
    long most = 0;
    for (int l = 0; l < layers; ++l) {
      const auto layer = states.slice(l);
      const auto m = layer.to_matrix<float>();
      CHECK((m.rows() == subjects && m.cols() == width && (m.array() == static_cast<float>(l)).all()));
      most = (std::max)(most, file_memory() - before);
      if (releases) file.release(layer);
    }
    return most;
  };
  CHECK(read_all(true) <= 4 * layer_bytes / 1024);
}

}  // namespace safetensors_test
