#pragma once
#include <optional>

#include "geofact/io/atomic_file.hpp"
#include "geofact/io/blocks.hpp"
#include "geofact/io/npy_header.hpp"

namespace geofact {

/// An array in a .npy file of NumPy (format versions 1.0, 2.0 and 3.0), mapped: nothing is read until it is touched.
class npy_file {
 public:
  /// Throws for what is no .npy file, is damaged or truncated, or holds something else than numbers of an `element`
  /// type, lowest byte first: pickled objects above all.
  explicit npy_file(std::string path) : npy_file(mapped_file(std::move(path))) {}
  explicit npy_file(mapped_file file)
      : file_(std::move(file)),
        header_(parse_npy_header(text(file_), file_.path())),
        values_(file_.path(), header_.type, header_.shape, header_.is_column_major,
                file_.data() + header_.data_offset) {}

  const std::string& path() const { return file_.path(); }
  const mapped_file& file() const { return file_; }

  /// The array where it lies; this object must outlive the view.
  const tensor_view& values() const { return values_; }

 private:
  static std::string_view text(const mapped_file& file) {
    return {reinterpret_cast<const char*>(file.data()), static_cast<std::size_t>(file.size())};
  }

  mapped_file file_;
  npy_header header_;
  tensor_view values_;
};

/// The matrix in a .npy file, or the one column of a one-dimensional array. Throws what npy_file and to_matrix throw.
template <element_type Scalar>
matrix<Scalar> read_npy(const std::string& path) {
  return npy_file(path).values().to_matrix<Scalar>();
}

/// How write_npy() writes.
struct npy_options {
  std::optional<element> as = {};  ///< the type in the file; by default that of the tensor
  bool column_major = false;       ///< NumPy's Fortran order
};

/// Writes a .npy file as NumPy would, and replaces an old one only when that is done. Throws where the disk fails, for
/// a number that an integer type cannot hold, and for BF16, which NumPy does not have.
inline void write_npy(const std::string& path, const tensor_view& values, const npy_options& options = {}) {
  const element as = options.as.value_or(values.type());
  require(as != element::bf16, path, ": NumPy has no BF16; write F32, or a safetensors file");
  const auto& shape = values.shape();
  // As in NumPy, an array that is the same in both orders is called row-major.
  const bool is_line = std::count_if(shape.begin(), shape.end(), [](index_t n) { return n != 1; }) <= 1;
  const bool is_column_major = options.column_major && !is_line && values.count() > 0;
  atomic_file file(path);
  file.write(npy_header_text(as, shape, is_column_major));
  const auto lines = is_column_major ? values.transposed().named(path + " (transposed)") : values.named(path);
  for_each_block(lines, as, [&](auto bytes) { file.write(bytes); });
  file.commit();
}

}  // namespace geofact
