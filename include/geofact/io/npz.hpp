#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "geofact/io/mapped_file.hpp"
#include "geofact/io/npy_header.hpp"

namespace geofact {

/// The arrays in a .npz file of numpy.savez(), mapped: a zip archive of .npy files without compression. Nothing is read
/// until it is touched; the checksums of the archive are not looked at.
class npz_file {
 public:
  /// Throws for what is no zip archive, is damaged or truncated, compressed (numpy.savez_compressed) or encrypted. An
  /// array that is no matrix of numbers, such as pickled objects, is refused when it is asked for.
  explicit npz_file(std::string path) : file_(std::move(path)) {
    const auto [count, begin] = directory();
    index_t at = begin;
    for (index_t i = 0; i < count; ++i) at = add_member(at);
  }

  const std::string& path() const { return file_.path(); }

  /// The names of the arrays in the order of the file.
  const std::vector<std::string>& names() const { return names_; }
  bool contains(std::string_view name) const { return members_.contains(name); }

  /// The array where it lies; this object must outlive the view. Throws, with the names, if there is none.
  tensor_view operator[](std::string_view name) const {
    const auto found = members_.find(name);
    std::string known;
    for (const auto& one : names_) known += (known.empty() ? "" : ", ") + one;
    require(found != members_.end(), path(), ": no array \"", name, "\" among ", known);
    const auto [begin, size] = found->second;
    const std::string source = path() + ": array \"" + std::string(name) + '"';
    const auto header =
        parse_npy_header({reinterpret_cast<const char*>(file_.data() + begin), static_cast<std::size_t>(size)}, source);
    return {source, header.type, header.shape, header.is_column_major, file_.data() + begin + header.data_offset};
  }

  /// Lets go of the memory that holds an array of this file, or a slice of one.
  void release(const tensor_view& tensor) const { file_.release(tensor.bytes()); }

 private:
  struct member {
    index_t begin, size;
  };

  /// `bytes` bytes at `at` as a number, lowest first; throws where the file ends before.
  index_t number(index_t at, int bytes) const {
    require(at >= 0 && at <= file_.size() - bytes, path(), ": damaged zip archive: it should go on at byte ", at);
    std::uint64_t n = 0;
    for (int i = 0; i < bytes; ++i) n |= static_cast<std::uint64_t>(file_.data()[at + i]) << (8 * i);
    require(n >> 62 == 0, path(), ": damaged zip archive: a size of ", n, " at byte ", at);
    return static_cast<index_t>(n);
  }

  void expect(index_t at, index_t signature) const {
    require(number(at, 4) == signature, path(), ": damaged zip archive at byte ", at);
  }

  /// How many members there are, and where their list begins. The last record tells it, or one of 64 bits before it.
  std::pair<index_t, index_t> directory() const {
    constexpr index_t record = 22, longest_comment = 65535;
    require(file_.size() >= record, path(), ": no zip archive: ", file_.size(), " bytes are too few");
    for (index_t at = file_.size() - record; at >= 0 && at >= file_.size() - record - longest_comment; --at) {
      if (number(at, 4) != 0x06054b50) continue;
      if (at < 20 || number(at - 20, 4) != 0x07064b50) return {number(at + 10, 2), number(at + 16, 4)};
      const index_t wide = number(at - 12, 8);
      expect(wide, 0x06064b50);
      return {number(wide + 32, 8), number(wide + 48, 8)};
    }
    detail::fail({path(), ": no zip archive: it has no directory"});
  }

  /// Reads the entry of the list at `at`; returns where the next one begins.
  index_t add_member(index_t at) {
    expect(at, 0x02014b50);
    const index_t flags = number(at + 8, 2), method = number(at + 10, 2);
    index_t packed = number(at + 20, 4), size = number(at + 24, 4), local = number(at + 42, 4);
    const index_t name_length = number(at + 28, 2), extra = at + 46 + name_length, extra_length = number(at + 30, 2),
                  end = extra + extra_length + number(at + 32, 2);
    require(end <= file_.size(), path(), ": damaged zip archive: its list should go on to byte ", end);
    std::string name(reinterpret_cast<const char*>(file_.data() + at + 46), static_cast<std::size_t>(name_length));
    require((flags & 1) == 0, path(), ": ", name, " is encrypted");
    require(method == 0, path(), ": ", name, " is compressed; save it with numpy.savez, not numpy.savez_compressed");
    // What does not fit 32 bits stands in a field of 64 bits, in this order.
    for (index_t field = extra; field + 4 <= extra + extra_length; field += 4 + number(field + 2, 2)) {
      if (number(field, 2) != 1) continue;
      index_t next = field + 4;
      for (index_t* value : {&size, &packed, &local})
        if (*value == 0xffffffff) *value = number(next, 8), next += 8;
    }
    expect(local, 0x04034b50);
    const index_t begin = local + 30 + number(local + 26, 2) + number(local + 28, 2);
    require(packed == size && begin <= file_.size() && size <= file_.size() - begin, path(),
            ": damaged zip archive: ", name, " should have ", size, " bytes from byte ", begin, " on");
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
    require(members_.emplace(name, member{begin, size}).second, path(), ": two arrays called \"", name, '"');
    names_.push_back(std::move(name));
    return end;
  }

  mapped_file file_;
  std::vector<std::string> names_;
  std::map<std::string, member, std::less<>> members_;
};

}  // namespace geofact
