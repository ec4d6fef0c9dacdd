#pragma once
#include <limits>
#include <set>

#include "geofact/io/decimal.hpp"
#include "geofact/io/safetensors.hpp"
#include "geofact/model/parameters.hpp"

namespace geofact {

namespace detail {

/// Calls work(name, extent) for each size of a model.
template <class Sizes, class Work>
void for_each_extent(Sizes& n, const Work& work) {
  work("entities", n.entities), work("relations", n.relations), work("positions", n.positions), work("width", n.width);
  work("hidden", n.hidden), work("layers", n.layers), work("output", n.output), work("attributes", n.attributes);
  work("heads", n.heads), work("key", n.key), work("value", n.value), work("residual", n.residual);
}

/// The metadata `key` of a file. Throws if it is missing.
inline const std::string& metadata_at(const safetensors_file& file, const std::string& key) {
  const auto found = file.metadata().find(key);
  require(found != file.metadata().end(), file.path(), ": no model: its metadata lack \"", key, '"');
  return found->second;
}

/// A few of these names, and how many more there are.
inline std::string some_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < 8; ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > 8 ? text + " and " + std::to_string(names.size() - 8) + " more" : text;
}

/// Throws unless the file holds exactly these tables: [rows, columns], or [rows] for a single column. What a run keeps
/// beside its model ("run.NAME") does not count.
inline void check_tables(const safetensors_file& file, const std::vector<table>& tables) {
  std::vector<std::string> missing, unknown;
  std::set<std::string_view> known;
  for (const auto& t : tables) {
    known.insert(t.name);
    if (!file.contains(t.name)) missing.push_back(t.name);
  }
  for (const auto& e : file.entries())
    if (!known.contains(e.name) && !e.name.starts_with("run.")) unknown.push_back(e.name);
  require(missing.empty(), file.path(), ": tensors of this model are missing: ", some_of(missing));
  require(unknown.empty(), file.path(), ": this model has no such tensors: ", some_of(unknown));
  for (const auto& t : tables) {
    const auto view = file[t.name];
    const std::vector<index_t> wanted = {t.rows, t.columns};
    const bool is_line = t.columns == 1 && view.shape() == std::vector<index_t>{t.rows};
    require(is_line || view.shape() == wanted, view.source(), " has shape ", shape_text(view.shape()),
            " where the model has ", shape_text(wanted));
  }
}

/// The tables of a block of numbers as tensors to be written.
template <class Scalar>
std::vector<named_tensor> table_tensors(const std::string& prefix, const std::vector<table>& tables,
                                        const vector<Scalar>& block, element as = element_of<Scalar>) {
  std::vector<named_tensor> tensors;
  for (const auto& t : tables) {
    const std::vector<index_t> shape = {t.rows, t.columns};
    const auto* const first = reinterpret_cast<const std::byte*>(block.data() + t.offset);
    tensors.push_back({prefix + t.name, {t.name, element_of<Scalar>, shape, true, first}, as});
  }
  return tensors;
}

/// Reads what table_tensors wrote. Throws for missing tensors and for other numbers of elements.
template <class Scalar>
void read_tables(const safetensors_file& file, const std::string& prefix, const std::vector<table>& tables,
                 vector<Scalar>& block) {
  for (const auto& t : tables) {
    const auto found = file[prefix + t.name];  // [rows, columns], or [rows]
    const std::vector<index_t> shape = {t.rows, t.columns};
    require(found.count() == t.size(), found.source(), " has shape ", shape_text(found.shape()),
            " where the model has ", shape_text(shape));
    const tensor_view view(found.source(), found.type(), shape, false, found.data());
    view.copy_to(matrix_view<Scalar>(block.data() + t.offset, t.rows, t.columns));
  }
}

/// Fills the tables, which check_tables() found in the file.
template <class Scalar, shape S>
void fill(const safetensors_file& file, parameters<Scalar, S>& model) {
  read_tables(file, "", model.tables(), model.block());
  const auto abstain = file.metadata().find("geofact.abstain");
  if (abstain == file.metadata().end()) return;
  model.abstain = abstain->second == "never"
                      ? std::numeric_limits<Scalar>::lowest()
                      : parsed<Scalar>(abstain->second, file.path() + ": the metadata \"geofact.abstain\"");
}

}  // namespace detail

/// Writes the tables of a model as a safetensors file: row-major [rows, columns] tensors under the names of the tables,
/// and beside `metadata` the sizes and `abstain` as "geofact.width" and so on. Throws what write_safetensors throws,
/// and where `metadata` has a key that begins with "geofact.". What is `beside` the model goes into the same file;
/// readers of models pass over names that begin with "run.".
template <class Scalar, shape S>
void write_model(const std::string& path, const parameters<Scalar, S>& model, text_map metadata = {},
                 element as = element_of<Scalar>, const std::vector<named_tensor>& beside = {}) {
  for (const auto& [key, value] : metadata)
    require(!key.starts_with("geofact."), path, ": the metadata \"", key, "\" would hide what geofact writes");
  detail::for_each_extent(model.extents(), [&](const std::string& name, const auto& extent) {
    metadata["geofact." + name] = std::to_string(int{extent});
  });
  const bool abstains = model.abstain != std::numeric_limits<Scalar>::lowest();
  metadata["geofact.abstain"] = abstains ? detail::printed(model.abstain) : "never";
  auto tensors = detail::table_tensors("", model.tables(), model.block(), as);
  tensors.insert(tensors.end(), beside.begin(), beside.end());
  write_safetensors(path, std::move(tensors), metadata);
}

/// Reads the tables of a file into a model of the same sizes, and `abstain` if the file has it: the metadata may be
/// missing, as in a file that PyTorch wrote. Throws, before anything changes, where tensors are missing, unknown or of
/// another shape; and, when some have changed, for a number that an integer Scalar cannot hold.
template <class Scalar, shape S>
void read_into(const safetensors_file& file, parameters<Scalar, S>& model) {
  detail::check_tables(file, model.tables());
  detail::fill(file, model);
}
template <class Scalar, shape S>
void read_into(const std::string& path, parameters<Scalar, S>& model) {
  read_into(safetensors_file(path), model);
}

/// The model in a file of write_model(), with the sizes that its metadata tell. Throws as read_into does, where sizes
/// are missing or contradict the tensors, and where a static size of S is another.
template <class Scalar, shape S = shape{}>
parameters<Scalar, S> read_model(const safetensors_file& file) {
  sizes<S> n;
  detail::for_each_extent(n, [&](const std::string& name, auto& extent) {
    const std::string key = "geofact." + name, source = file.path() + ": the metadata \"" + key + '"';
    const int size = detail::parsed<int>(detail::metadata_at(file, key), source);
    require(size >= 0, source, " is ", size);
    if constexpr (std::is_empty_v<std::remove_cvref_t<decltype(extent)>>)
      require(size == extent, source, " is ", size, " where this program has ", int{extent});
    extent = size;
  });
  // Each hidden layer and each head has four tables: sizes that lie are found before anything is allocated for them.
  require(index_t{n.layers} + n.heads <= static_cast<index_t>(file.entries().size()), file.path(),
          ": its metadata tell of ", int{n.layers}, " layers and ", int{n.heads}, " heads, but it has only ",
          file.entries().size(), " tensors");
  const auto tables = [&] {
    try {
      return layout(n);
    } catch (const error& contradiction) {
      detail::fail({file.path(), ": ", contradiction.what()});
    }
  }();
  detail::check_tables(file, tables);
  parameters<Scalar, S> model(n);
  detail::fill(file, model);
  return model;
}
template <class Scalar, shape S = shape{}>
parameters<Scalar, S> read_model(const std::string& path) {
  return read_model<Scalar, S>(safetensors_file(path));
}

}  // namespace geofact
