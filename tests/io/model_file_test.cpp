#include "geofact/io/model_file.hpp"

#include <doctest/doctest.h>

#include <climits>

#include "files.hpp"

namespace model_file_test {

using namespace geofact;

namespace {

constexpr shape fixed_shape{5, 3, 4, 7, 6, 2, 4, 9, 2, 3, 2, 0};

sizes<> small() {
  sizes<> n;
  n.entities = 5, n.relations = 3, n.positions = 4, n.width = 7, n.hidden = 6, n.layers = 2, n.output = 4;
  n.attributes = 9, n.heads = 2, n.key = 3, n.value = 2;
  return n;
}

template <class Scalar>
parameters<Scalar> counted(const sizes<>& n = small()) {
  parameters<Scalar> model(n);
  for (geofact::index_t i = 0; i < model.count(); ++i) model.block()[i] = static_cast<Scalar>(i % 251 - 100);
  return model;
}

/// The tables of a model, as a file of another program would hold them: no metadata.
std::vector<named_tensor> tables_of(const parameters<float>& model) {
  std::vector<named_tensor> tensors;
  for (const auto& t : model.tables())
    tensors.push_back({t.name, const_matrix_view<float>(model.block().data() + t.offset, t.rows, t.columns)});
  return tensors;
}

}  // namespace

TEST_CASE_TEMPLATE("a model comes back from its file with its sizes, weights and abstention", Scalar, float, double,
                   int) {
  const files::temporary_folder folder;
  for (const int heads : {0, 2})
    for (const int residual : {0, 1}) {
      auto n = small();
      n.heads = heads, n.residual = residual;
      auto model = counted<Scalar>(n);
      write_model(folder / "m", model);
      auto found = read_model<Scalar>(folder / "m");
      CHECK(found.block() == model.block());
      CHECK(found.abstain == std::numeric_limits<Scalar>::lowest());
      CHECK((found.heads() == heads && found.residual() == (residual == 1) && found.positions() == 4));
      model.abstain = static_cast<Scalar>(3) / static_cast<Scalar>(2);
      write_model(folder / "m", model);
      CHECK(read_model<Scalar>(folder / "m").abstain == model.abstain);
    }
  CHECK(folder.size() == 1);
}

TEST_CASE(
    "tables lie in the file as row-major [rows, columns] under their names, beside the sizes and the given text") {
  const files::temporary_folder folder;
  const auto model = counted<float>();
  write_model(folder / "m", model, {{"facts", "countries"}});
  const safetensors_file file(folder / "m");
  CHECK(file.entries().size() == model.tables().size());
  for (const auto& t : model.tables()) CHECK(file[t.name].shape() == std::vector<geofact::index_t>{t.rows, t.columns});
  CHECK(file["layer.0.w1"].to_matrix<float>() == model.w1(0));
  const auto w1 = files::numbers_of(file["layer.0.w1"]);
  CHECK(w1[0 * 7 + 1] == model.w1(0)(0, 1));
  CHECK(file.metadata().at("facts") == "countries");
  CHECK(file.metadata().at("geofact.width") == "7");
  CHECK(file.metadata().at("geofact.abstain") == "never");
  CHECK(files::refusal([&] {
          write_model(folder / "m", model, {{"geofact.width", "8"}});
        }) == folder / "m" + ": the metadata \"geofact.width\" would hide what geofact writes");
}

TEST_CASE("a model is stored in another type and read as another scalar, if every weight can be held") {
  const files::temporary_folder folder;
  auto model = counted<float>();
  for (const element as : {element::f64, element::f16, element::bf16, element::i16}) {
    write_model(folder / "m", model, {}, as);
    CHECK(safetensors_file(folder / "m")["entity"].type() == as);
    CHECK(read_model<int>(folder / "m").block() == model.block().cast<int>());
  }
  CHECK(files::refusal([&] { write_model(folder / "m", model, {}, element::u8); }).ends_with("which U8 cannot hold"));
  model.w2(1)(3, 5) = 0.25F;
  write_model(folder / "m", model);
  CHECK(files::refusal([&] { read_model<int>(folder / "m"); }) ==
        folder / "m" + ": tensor \"layer.1.w2\": holds 0.25 at [3, 5], which I32 cannot hold");
  model.abstain = 0.1F;
  model.w2(1)(3, 5) = 0;
  write_model(folder / "m", model);
  CHECK(read_model<float>(folder / "m").abstain == 0.1F);
  CHECK(files::refusal([&] { read_model<int>(folder / "m"); }) ==
        folder / "m" + ": the metadata \"geofact.abstain\" is \"0.1\", no number in range");
}

TEST_CASE("static sizes must be those of the file") {
  const files::temporary_folder folder;
  write_model(folder / "m", counted<float>());
  const auto fixed = read_model<float, fixed_shape>(folder / "m");
  CHECK(fixed.block() == counted<float>().block());
  constexpr shape other{.width = 8};
  CHECK(files::refusal([&] { read_model<float, other>(folder / "m"); }) ==
        folder / "m" + ": the metadata \"geofact.width\" is 7 where this program has 8");
}

TEST_CASE("tables that another program wrote are read into a model of the same sizes") {
  const files::temporary_folder folder;
  const auto model = counted<float>();
  write_safetensors(folder / "m", tables_of(model));
  parameters<double> found(small());
  found.abstain = 5;
  read_into(folder / "m", found);
  CHECK(found.block() == model.block().cast<double>());
  CHECK(found.abstain == 5);
  CHECK(files::refusal([&] { read_model<float>(folder / "m"); }) ==
        folder / "m" + ": no model: its metadata lack \"geofact.entities\"");
  auto tensors = tables_of(model);  // biases as vectors, as nn.Linear has them
  for (auto& t : tensors)
    if (t.name.ends_with(".b1")) t.values = {"b", element::f32, {t.values.shape()[0]}, false, t.values.data()};
  write_safetensors(folder / "m", tensors);
  found.block().setZero();
  read_into(folder / "m", found);
  CHECK(found.block() == model.block().cast<double>());
}

TEST_CASE("missing, unknown and wrong-shaped tensors are named, and the model stays as it was") {
  const files::temporary_folder folder;
  const auto model = counted<float>();
  auto into = counted<float>();
  into.block().setConstant(-7);
  const auto refused = [&](const std::vector<named_tensor>& tensors) {
    write_safetensors(folder / "m", tensors);
    auto sentence = files::refusal([&] { read_into(folder / "m", into); });
    CHECK((into.block().array() == -7).all());
    return sentence.substr((folder / "m").size());
  };
  auto tensors = tables_of(model);
  tensors.erase(tensors.begin() + 3, tensors.begin() + 5);
  CHECK(refused(tensors) == ": tensors of this model are missing: head.0.query, head.0.key");
  tensors.erase(tensors.begin(), tensors.begin() + 9);
  CHECK(
      refused(tensors).ends_with(": entity, relation, position, head.0.query, head.0.key, head.0.value, head.0.output, "
                                 "head.1.query and 3 more"));
  tensors = tables_of(model);
  tensors.push_back({"extra", model.entity()});
  CHECK(refused(tensors) == ": this model has no such tensors: extra");
  tensors = tables_of(model);
  const matrix<float> turned = model.w1(0).transpose();
  tensors[11].values = turned;
  REQUIRE(tensors[11].name == "layer.0.w1");
  CHECK(refused(tensors) == ": tensor \"layer.0.w1\" has shape [7, 6] where the model has [6, 7]");
  tensors = tables_of(model);
  const vector<float> flat = model.block().head(35);
  tensors[0].values = flat;
  CHECK(refused(tensors) == ": tensor \"entity\" has shape [35] where the model has [7, 5]");
}

TEST_CASE("sizes in the metadata that lie are refused before anything is allocated for them") {
  const files::temporary_folder folder;
  const auto model = counted<float>();
  write_model(folder / "m", model);
  const auto good = safetensors_file(folder / "m").metadata();
  const auto refused = [&](const std::string& key, const std::string& value) {
    auto metadata = good;
    metadata["geofact." + key] = value;
    write_safetensors(folder / "m", tables_of(model), metadata);
    return files::refusal([&] { read_model<float>(folder / "m"); }).substr((folder / "m").size());
  };
  CHECK_THROWS_AS(refused("width", "7"), std::out_of_range);  // not refused
  CHECK(refused("width", "8") == ": tensor \"entity\" has shape [7, 5] where the model has [8, 5]");
  CHECK(refused("width", "-7") == ": the metadata \"geofact.width\" is -7");
  for (const auto* text : {"", "7.0", "7 ", " 7", "0x7", "99999999999", "seven"})
    CHECK(refused("width", text) ==
          ": the metadata \"geofact.width\" is \"" + std::string(text) + "\", no number in range");
  CHECK(refused("layers", std::to_string(INT_MAX)) ==
        ": its metadata tell of 2147483647 layers and 2 heads, but it has only 20 tensors");
  CHECK(refused("heads", "19").starts_with(": its metadata tell of 2 layers and 19 heads"));
  CHECK(refused("heads", "3").starts_with(": tensors of this model are missing: head.2.query"));
  CHECK(refused("layers", "1").starts_with(": this model has no such tensors: layer.1."));
  CHECK(refused("entities", std::to_string(INT_MAX)).ends_with(" where the model has [7, 2147483647]"));
  CHECK(refused("residual", "2") == ": a model is residual (1) or not (0), not 2");
  CHECK(refused("output", "0") == ": a model needs a width and an output of at least 1, got 7 and 0");
  CHECK(refused("abstain", "much") == ": the metadata \"geofact.abstain\" is \"much\", no number in range");
}

TEST_CASE("a model file cut short at any byte is refused") {
  const files::temporary_folder folder;
  auto n = small();
  n.heads = 0, n.layers = 1, n.entities = 2, n.attributes = 2, n.hidden = 2, n.width = 2, n.output = 2;
  write_model(folder / "m", counted<float>(n));
  const auto bytes = files::contents(folder / "m");
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    files::put(folder / "m", bytes.substr(0, i));
    CHECK_THROWS_AS(read_model<float>(folder / "m"), error);
  }
}

}  // namespace model_file_test
