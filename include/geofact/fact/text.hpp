#pragma once
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "geofact/foundation/memory.hpp"

namespace geofact {

/// The bytes of a regular file. Throws, before it reads, for what is missing, is no regular file (a folder, a device)
/// or exceeds this machine's memory.
inline std::string read_file(const std::string& path) {
  std::error_code problem;
  const auto status = std::filesystem::status(path, problem);
  require(std::filesystem::exists(status), path, ": no such file");
  require(std::filesystem::is_regular_file(status), path, ": not a regular file");
  const auto size = static_cast<index_t>(std::filesystem::file_size(path, problem));
  require(!problem, path, ": ", problem.message());
  require_memory(size, 1, path.c_str());
  std::string bytes(static_cast<std::size_t>(size), '\0');
  std::ifstream file(path, std::ios::binary);
  require(file.is_open(), path, ": could not be opened");
  file.read(bytes.data(), size);
  require(file.gcount() == size, path, ": only ", file.gcount(), " of its ", size, " bytes could be read");
  return bytes;
}

/// The length of the UTF-8 sequence that `text` begins with, or 0 if it is none: truncated, overlong, a surrogate or
/// above U+10FFFF (RFC 3629).
constexpr int utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const unsigned lead = static_cast<unsigned char>(text[0]);
  const int length = lead < 0x80 ? 1 : lead < 0xC0 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF8 ? 4 : 0;
  if (length <= 1) return length;
  std::uint32_t code = lead & 0x7Fu >> length;
  for (std::size_t i = 1; i < static_cast<std::size_t>(length); ++i) {
    if (i == text.size() || (text[i] & 0xC0) != 0x80) return 0;
    code = code << 6 | (static_cast<std::uint32_t>(text[i]) & 0x3F);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  return code >= least[length] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF) ? length : 0;
}

/// `text` without a byte order mark. Throws, with the line, where it is not UTF-8 or holds a control byte other than
/// tab, LF and the CR of a CRLF.
inline std::string_view checked_text(std::string_view text, const std::string& source) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  index_t line = 1;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 || byte == 0x7F) {
      const bool line_end = byte == '\n' || (byte == '\r' && (i + 1 == text.size() || text[i + 1] == '\n'));
      require(byte != 0, source, ':', line, ": holds a NUL byte");
      require(line_end || byte == '\t', source, ':', line, ": holds the control byte ", int{byte});
      line += byte == '\n';
    }
    const int length = byte < 0x80 ? 1 : utf8_length(text.substr(i));
    require(length > 0, source, ':', line, ": not UTF-8, at the byte ", int{byte});
    i += static_cast<std::size_t>(length);
  }
  return text;
}

/// `text` without the blanks around it.
constexpr std::string_view trimmed(std::string_view text) {
  const auto first = (std::min)(text.find_first_not_of(" \t\r"), text.size());
  return text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

/// The rows of a text, one at a time: UTF-8, lines that end with LF or CRLF; lines that are blank or begin with `#` are
/// left out, and so are blanks around a field.
///
/// The separator is a comma where `source` ends with .csv or the first row holds no tab, else a tab. Between commas a
/// field may be quoted (RFC 4180) and then hold commas, line ends and, written twice, quotes; between tabs a quote is a
/// letter like others. `source` is what errors call the text; the text must outlive this object.
class row_reader {
 public:
  /// Throws what checked_text() throws.
  row_reader(std::string_view text, std::string source)
      : text_(checked_text(text, source)), source_(std::move(source)), separator_(find_separator()) {}

  /// Moves to the next row, or returns false if there is none. Throws for a quote out of place.
  bool next() {
    do {
      if (at_ >= text_.size()) return false;
      row_line_ = line_;
      count_ = 0;
      if (text_[at_] == '#') {
        at_ = end_of(text_, at_);
      } else {
        for (read_field(); at_ < text_.size() && text_[at_] == separator_; read_field()) ++at_;
      }
      ++at_, ++line_;
    } while (count_ == 0 || (count_ == 1 && fields_[0].empty()));
    return true;
  }

  /// The fields of this row, until next() is called.
  std::span<const std::string> fields() const { return {fields_.data(), count_}; }
  int size() const { return static_cast<int>(count_); }
  const std::string& operator[](int column) const { return fields_[static_cast<std::size_t>(column)]; }

  /// The line where this row begins, from 1.
  index_t line() const { return row_line_; }
  const std::string& source() const { return source_; }

  /// Throws `parts` as a sentence about this row's line unless `holds`.
  template <class... Parts>
  void check(bool holds, const Parts&... parts) const {
    require(holds, source_, ':', row_line_, ": ", parts...);
  }

 private:
  static std::size_t end_of(std::string_view text, std::size_t at) {
    return (std::min)(text.find('\n', at), text.size());
  }

  char find_separator() const {
    if (source_.ends_with(".csv")) return ',';
    for (std::size_t at = 0, end; at < text_.size(); at = end + 1) {
      end = end_of(text_, at);
      const auto row = text_.substr(at, end - at);
      if (row.starts_with('#') || trimmed(row).empty()) continue;
      return row.find('\t') == row.npos ? ',' : '\t';
    }
    return ',';
  }

  /// Appends the field at at_ and leaves at_ behind it: at a separator, a line end or the end of the text.
  void read_field() {
    if (count_ == fields_.size()) fields_.emplace_back();
    std::string& field = fields_[count_++];
    field.clear();
    const auto opening = (std::min)(text_.find_first_not_of(' ', at_), text_.size());
    const bool is_quoted = separator_ == ',' && opening < text_.size() && text_[opening] == '"';
    if (is_quoted) at_ = opening, read_quoted(field);
    const auto* const begin = text_.data() + at_;
    const auto* const end =
        std::find_if(begin, text_.data() + text_.size(), [this](char c) { return c == separator_ || c == '\n'; });
    const auto rest = trimmed({begin, end});
    at_ += static_cast<std::size_t>(end - begin);
    if (is_quoted) {
      require(rest.empty(), source_, ':', line_, ": text follows a closing quote");
    } else {
      require(separator_ != ',' || rest.find('"') == rest.npos, source_, ':', line_,
              ": a quote inside a field that does not begin with one");
      field = rest;
    }
  }

  /// Appends what stands between the quote at at_ and its partner, and leaves at_ behind that.
  void read_quoted(std::string& field) {
    const index_t first_line = line_;
    while (true) {
      const auto close = text_.find('"', at_ + 1);
      require(close != text_.npos, source_, ':', first_line, ": a quote begins here and never ends");
      const auto part = text_.substr(at_ + 1, close - at_ - 1);
      line_ += std::count(part.begin(), part.end(), '\n');
      field += part;
      at_ = close + 1;
      if (at_ == text_.size() || text_[at_] != '"') return;
      field += '"';
    }
  }

  std::string_view text_;
  std::string source_;
  char separator_;
  std::size_t at_ = 0;
  index_t line_ = 1, row_line_ = 0;
  std::vector<std::string> fields_;  // the first count_ are this row's, the others keep their memory
  std::size_t count_ = 0;
};

}  // namespace geofact
