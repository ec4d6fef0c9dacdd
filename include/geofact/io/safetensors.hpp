#pragma once
#include <optional>
#include <set>
#include <sstream>

#include "geofact/io/atomic_file.hpp"
#include "geofact/io/blocks.hpp"
#include "geofact/io/safetensors_header.hpp"

namespace geofact {

/// A safetensors file, mapped: its header is read and checked, and a tensor when it is touched.
class safetensors_file {
 public:
  /// Throws what mapped_file and parse_safetensors_header throw.
  explicit safetensors_file(std::string path) : safetensors_file(mapped_file(std::move(path))) {}
  explicit safetensors_file(mapped_file file)
      : file_(std::move(file)), header_(parse_safetensors_header(text(file_), file_.path())) {
    for (std::size_t i = 0; i < header_.entries.size(); ++i) at_.emplace(header_.entries[i].name, i);
  }

  const std::string& path() const { return file_.path(); }
  const text_map& metadata() const { return header_.metadata; }

  /// The tensors in the order of their bytes: name, type and shape.
  const std::vector<safetensors_header::entry>& entries() const { return header_.entries; }
  bool contains(std::string_view name) const { return at_.contains(name); }

  /// The tensor where it lies; this object must outlive the view. Throws, with some names, if there is none.
  tensor_view operator[](std::string_view name) const {
    const auto found = at_.find(name);
    require(found != at_.end(), path(), ": no tensor \"", name, "\" among its ", at_.size(), ": ", some_names());
    const auto& e = header_.entries[found->second];
    return {path() + ": tensor \"" + e.name + '"', e.type, e.shape, false,
            file_.data() + header_.data_offset + e.begin};
  }

  /// Lets go of the memory that holds a tensor of this file, or a slice of one; it is read again when touched.
  void release(const tensor_view& tensor) const { file_.release(tensor.bytes()); }

 private:
  static std::string_view text(const mapped_file& file) {
    return {reinterpret_cast<const char*>(file.data()), static_cast<std::size_t>(file.size())};
  }

  std::string some_names() const {
    std::string names;
    for (std::size_t i = 0; i < header_.entries.size() && i < 8; ++i)
      names += (i == 0 ? "" : ", ") + header_.entries[i].name;
    return header_.entries.size() > 8 ? names + ", ..." : names;
  }

  mapped_file file_;
  safetensors_header header_;
  std::map<std::string, std::size_t, std::less<>> at_;
};

/// A tensor to be written; `values` must stay until that is done.
struct named_tensor {
  std::string name;
  tensor_view values;
  std::optional<element> as = {};  ///< the type in the file; by default that of `values`

  element type() const { return as.value_or(values.type()); }
};

/// Writes a safetensors file as the reference implementation would, tensors with wider types first and then by name,
/// and replaces an old one only when that is done. Throws for a name that stands twice or is not UTF-8, where the disk
/// fails, and for a number that an integer type cannot hold.
inline void write_safetensors(const std::string& path, std::vector<named_tensor> tensors,
                              const text_map& metadata = {}) {
  // Wider types first keeps every tensor aligned; within a width the order of the reference.
  const auto rank = [](element type) {
    constexpr std::array order = {element::i64, element::f64, element::f32, element::i32, element::bf16,
                                  element::f16, element::i16, element::i8,  element::u8,  element::boolean};
    return std::find(order.begin(), order.end(), type) - order.begin();
  };
  std::sort(tensors.begin(), tensors.end(), [&](const named_tensor& a, const named_tensor& b) {
    return std::pair<index_t, const std::string&>(rank(a.type()), a.name) <
           std::pair<index_t, const std::string&>(rank(b.type()), b.name);
  });
  std::set<std::string_view> names;
  std::ostringstream text;
  const char* separator = "{";
  if (!metadata.empty()) {
    text << "{\"__metadata__\":";
    for (const auto& [key, value] : metadata) {
      text << separator << json_string(key, path) << ':' << json_string(value, path);
      separator = ",";
    }
    text << '}';
  }
  index_t offset = 0;
  for (const auto& t : tensors) {
    require(t.name != "__metadata__", path, ": no tensor can be called \"", t.name, '"');
    require(names.insert(t.name).second, path, ": two tensors called \"", t.name, '"');
    const index_t end = checked_sum(offset, bytes_of(t.type(), t.values.shape(), path));
    text << separator << json_string(t.name, path) << ":{\"dtype\":\"" << name_of(t.type()) << "\",\"shape\":[";
    separator = "";
    for (const index_t extent : t.values.shape()) {
      text << separator << extent;
      separator = ",";
    }
    text << "],\"data_offsets\":[" << offset << ',' << end << "]}";
    separator = ",";
    offset = end;
  }
  text << (tensors.empty() && metadata.empty() ? "{}" : "}");
  std::string header = std::move(text).str();
  header.append((8 - header.size() % 8) % 8, ' ');
  require(static_cast<index_t>(header.size()) <= safetensors_header::limit, path, ": its header would have ",
          header.size(), " bytes; the limit is ", safetensors_header::limit);

  atomic_file file(path);
  const auto length = static_cast<std::uint64_t>(header.size());
  file.write(std::as_bytes(std::span(&length, 1)));
  file.write(header);
  for (const auto& t : tensors)
    for_each_block(t.values.named(path + ": tensor \"" + t.name + '"'), t.type(),
                   [&](auto bytes) { file.write(bytes); });
  file.commit();
}

}  // namespace geofact
