#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "geofact/io/tensor_view.hpp"

namespace geofact {

/// What the header of a .npy file says.
struct npy_header {
  element type = element::f64;
  std::vector<index_t> shape;
  bool is_column_major = false;
  index_t data_offset = 0;  ///< where the numbers begin
};

namespace detail {

/// The descr of NumPy for each element type; it has no BF16.
inline constexpr std::array<std::string_view, elements.size()> npy_descr = {"<f8", "<f4", "<f2", "",    "<i8",
                                                                            "<i4", "<i2", "|i1", "|u1", "|b1"};

/// Reads the dict that NumPy writes into a header: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
class npy_dict {
 public:
  /// `first` is the byte of the file where the text begins.
  npy_dict(std::string_view text, index_t first, const std::string& source)
      : text_(text), first_(first), source_(source) {}

  npy_header read() {
    npy_header header;
    bool has_descr = false, has_order = false, has_shape = false;
    expect("{");
    while (!accept("}")) {
      const auto key = read_string();
      bool& is_there = key == "descr" ? has_descr : key == "fortran_order" ? has_order : has_shape;
      check(&is_there != &has_shape || key == "shape", "unknown key '", key, "'");
      check(!is_there, "the key '", key, "' stands twice");
      is_there = true;
      expect(":");
      if (key == "descr")
        header.type = read_type();
      else if (key == "shape")
        header.shape = read_shape();
      else if (header.is_column_major = accept("True"); !header.is_column_major)
        expect("False");
      if (accept("}")) break;
      expect(",");
    }
    check(has_descr && has_order && has_shape, "a key is missing: it needs 'descr', 'fortran_order' and 'shape'");
    skip_blanks();
    check(at_ + 1 == text_.size() && text_[at_] == '\n', "a line end should close it");
    return header;
  }

 private:
  template <class... Parts>
  void check(bool holds, const Parts&... parts) const {
    require(holds, source_, ": damaged npy header at byte ", first_ + static_cast<index_t>(at_), ": ", parts...);
  }

  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  bool accept(std::string_view word) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  void expect(std::string_view word) { check(accept(word), "expected ", word); }

  std::string_view read_string() {
    expect("'");
    const auto end = text_.find('\'', at_);
    check(end != text_.npos, "a string does not end");
    const auto word = text_.substr(at_, end - at_);
    for (const char c : word) check(c >= ' ' && c <= '~' && c != '\\', "a string that is not plain ASCII");
    at_ = end + 1;
    return word;
  }

  element read_type() {
    skip_blanks();
    require(at_ == text_.size() || text_[at_] != '[', source_,
            ": holds records (a structured dtype), not numbers of one type");
    const auto descr = read_string();
    for (const element type : elements)
      if (type != element::bf16 && descr == npy_descr[static_cast<std::size_t>(type)]) return type;
    require(!descr.starts_with("|O") && !descr.starts_with("O"), source_, ": holds pickled Python objects (dtype ",
            descr, "); these are not read, since reading them runs code");
    if (descr.starts_with('>'))
      fail({source_, ": holds big-endian numbers (dtype ", descr, "); save them with .astype('<", descr.substr(1),
            "')"});
    fail({source_, ": holds numbers of dtype ", descr, "; only <f8 <f4 <f2 <i8 <i4 <i2 |i1 |u1 |b1 are read"});
  }

  std::vector<index_t> read_shape() {
    std::vector<index_t> shape;
    expect("(");
    while (!accept(")")) {
      skip_blanks();
      const auto start = at_;
      index_t extent = 0;
      for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_)
        if (at_ < start + 18) extent = 10 * extent + (text_[at_] - '0');
      check(at_ <= start + 18, "an extent of more than 18 digits");
      check(at_ > start && (at_ == start + 1 || text_[start] != '0'), "expected a count");
      shape.push_back(extent);
      check(shape.size() <= 64, "more than 64 axes");
      if (accept(",")) continue;
      check(shape.size() > 1, "expected ,");  // (3) is no tuple
      expect(")");
      break;
    }
    return shape;
  }

  std::string_view text_;
  index_t first_;
  const std::string& source_;
  std::size_t at_ = 0;
};

}  // namespace detail

/// The header at the start of the bytes of a .npy file. Throws for what NumPy would not write, for types that are
/// no `element`, and where the numbers do not end with the file.
inline npy_header parse_npy_header(std::string_view file, const std::string& source) {
  using namespace std::string_view_literals;
  require(file.starts_with("\x93NUMPY"sv), source, ": no npy file: it does not begin with \\x93NUMPY");
  require(file.size() >= 10, source, ": truncated npy header: ", file.size(), " bytes are there");
  const auto byte = [&](std::size_t i) { return index_t{static_cast<unsigned char>(file[i])}; };
  require(byte(6) >= 1 && byte(6) <= 3 && byte(7) == 0, source, ": npy version ", byte(6), '.', byte(7),
          "; versions 1.0, 2.0 and 3.0 are read");
  const index_t begin = byte(6) == 1 ? 10 : 12, size = static_cast<index_t>(file.size());
  require(size >= begin, source, ": truncated npy header: ", size, " bytes are there");
  const index_t length = byte(8) + 256 * byte(9) + (begin == 12 ? 65536 * byte(10) + 16777216 * byte(11) : 0);
  require(length <= size - begin, source, ": the npy header should end at byte ", begin + length, " but only ", size,
          " bytes are there");
  const auto text = file.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(length));
  auto header = detail::npy_dict(text, begin, source).read();
  header.data_offset = begin + length;
  const index_t expected = bytes_of(header.type, header.shape, source), found = size - header.data_offset;
  require(expected == found, source, ": shape ", shape_text(header.shape), " of ", name_of(header.type), " takes ",
          expected, " bytes from byte ", header.data_offset, " on, but ", found, " are there");
  return header;
}

/// The header that NumPy writes for such an array: the numbers begin at a multiple of 64 bytes, and the extent that an
/// appending program would raise leaves room for 21 digits.
inline std::string npy_header_text(element type, const std::vector<index_t>& shape, bool is_column_major) {
  std::string dict = "{'descr': '";
  dict += detail::npy_descr[static_cast<std::size_t>(type)];
  dict += is_column_major ? "', 'fortran_order': True, 'shape': (" : "', 'fortran_order': False, 'shape': (";
  for (std::size_t i = 0; i < shape.size(); ++i) (dict += i == 0 ? "" : ", ") += std::to_string(shape[i]);
  dict += shape.size() == 1 ? ",), }" : "), }";
  if (!shape.empty()) dict.append(21 - std::to_string(is_column_major ? shape.back() : shape.front()).size(), ' ');
  dict.append(64 - (11 + dict.size()) % 64, ' ') += '\n';
  std::string header = "\x93NUMPY\x01";
  header += '\0';
  header += static_cast<char>(dict.size() % 256);
  header += static_cast<char>(dict.size() / 256);
  return header + dict;
}

}  // namespace geofact
