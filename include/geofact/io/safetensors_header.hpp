#pragma once
#include <map>
#include <tuple>

#include "geofact/io/json.hpp"
#include "geofact/io/tensor_view.hpp"

namespace geofact {

/// Text under text: what a safetensors file keeps beside its tensors.
using text_map = std::map<std::string, std::string, std::less<>>;

/// What the header of a safetensors file says.
struct safetensors_header {
  /// A tensor, and its bytes within the data.
  struct entry {
    std::string name;
    element type;
    std::vector<index_t> shape;
    index_t begin, end;
  };
  std::vector<entry> entries;  ///< in the order of their bytes
  text_map metadata;
  index_t data_offset = 0;  ///< where the data begin

  /// The longest header that may be; that of the reference implementation.
  static constexpr index_t limit = 100'000'000;
};

namespace detail {

inline safetensors_header::entry read_safetensors_entry(json_reader& json, const std::string& name,
                                                        const std::string& path) {
  const std::string source = path + ": tensor \"" + name + '"';
  std::string type;
  std::vector<index_t> shape, offsets;
  int keys = 0;
  json.read_object([&](const std::string& key) {
    ++keys;
    if (key == "dtype")
      type = json.read_string();
    else if (key == "shape")
      shape = json.read_integers();
    else
      json.check(key == "data_offsets", "tensor \"", name, "\" has the unknown key \"", key, '"'),
          offsets = json.read_integers();
  });
  json.check(keys == 3, "tensor \"", name, "\" needs a dtype, a shape and data_offsets");
  const auto* const known =
      std::find_if(elements.begin(), elements.end(), [&](element t) { return name_of(t) == type; });
  require(known != elements.end(), source, " is of dtype ", type,
          "; only F64 F32 F16 BF16 I64 I32 I16 I8 U8 BOOL are read");
  require(offsets.size() == 2 && offsets[0] <= offsets[1], source, ": data_offsets ", shape_text(offsets),
          " are no begin and end");
  const index_t bytes = bytes_of(*known, shape, source);
  require(offsets[1] - offsets[0] == bytes, source, ": shape ", shape_text(shape), " of ", type, " takes ", bytes,
          " bytes, but its data_offsets ", shape_text(offsets), " span ", offsets[1] - offsets[0]);
  return {name, *known, std::move(shape), offsets[0], offsets[1]};
}

}  // namespace detail

/// The header at the start of the bytes of a safetensors file. Throws for what is damaged, truncated, too long, of a
/// type that is no `element`, and unless the tensors fill the rest of the file without overlap or hole.
inline safetensors_header parse_safetensors_header(std::string_view file, const std::string& path) {
  const auto size = static_cast<index_t>(file.size());
  require(size >= 8, path, ": no safetensors file: it has ", size, " bytes, and begins with a count of 8");
  std::uint64_t announced = 0;
  std::memcpy(&announced, file.data(), 8);
  require(announced <= static_cast<std::uint64_t>(safetensors_header::limit), path,
          ": no safetensors file, or damaged: its header would have ", announced, " bytes; the limit is ",
          safetensors_header::limit);
  const auto length = static_cast<index_t>(announced);
  require(length <= size - 8, path, ": truncated: its header ends at byte ", 8 + length, " but the file at ", size);

  safetensors_header header;
  header.data_offset = 8 + length;
  const auto text = file.substr(8, static_cast<std::size_t>(length));
  json_reader json(text, path, 8);
  json.check(text.starts_with('{'), "no safetensors file, or damaged: the header should begin with {");
  json.read_object([&](const std::string& name) {
    if (name == "__metadata__") {
      json.read_object([&](const std::string& key) { header.metadata[key] = json.read_string(); });
    } else {
      header.entries.push_back(detail::read_safetensors_entry(json, name, path));
    }
  });
  json.finish();

  auto& entries = header.entries;
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  const index_t data = size - header.data_offset;
  index_t end = 0;
  for (std::size_t i = 0; i < entries.size(); end = entries[i++].end) {
    const auto& e = entries[i];
    require(e.end <= data, path, ": tensor \"", e.name, "\" lies in bytes ", e.begin, " to ", e.end,
            " of the data, but ", data, " are there");
    require(e.begin >= end, path, ": tensor \"", e.name, "\" begins at byte ", e.begin,
            " of the data, inside tensor \"", i == 0 ? "" : entries[i - 1].name, "\", which ends at ", end);
    require(e.begin == end, path, ": bytes ", end, " to ", e.begin, " of the data, before tensor \"", e.name,
            "\", belong to no tensor");
  }
  require(end == data, path, ": the tensors end at byte ", end, " of the data, but ", data, " are there");
  return header;
}

}  // namespace geofact
