#pragma once
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "geofact/foundation/extent.hpp"
#include "geofact/io/json_string.hpp"

namespace geofact {

/// Reads JSON (RFC 8259) piece by piece: objects, strings, numbers and arrays of unsigned integers.
/// The caller says what comes next, so that a text cannot nest deeper than it asks. Everything throws, with the byte,
/// for what is not as expected.
class json_reader {
 public:
  /// `first` is where the text begins in `source`; both must outlive this object.
  json_reader(std::string_view text, const std::string& source, index_t first = 0)
      : text_(text), source_(source), first_(first) {}

  /// Calls member(key) for each member; that must read the value. Throws for a key that stands twice.
  template <class Member>
  void read_object(const Member& member) {
    std::vector<std::string> keys;
    expect('{');
    if (!accept('}')) {
      do {
        keys.push_back(read_string());
        expect(':');
        member(std::as_const(keys.back()));
      } while (accept(','));
      expect('}');
    }
    std::sort(keys.begin(), keys.end());
    const auto twin = std::adjacent_find(keys.begin(), keys.end());
    check(twin == keys.end(), "the key \"", twin == keys.end() ? "" : *twin, "\" stands twice in the object before");
  }

  std::string read_string() {
    std::string word;
    expect('"');
    while (true) {
      check(at_ < text_.size(), "a string does not end");
      const char c = text_[at_];
      check(static_cast<unsigned char>(c) >= 0x20, "a control byte inside a string");
      if (c == '\\') {
        read_escape(word);
      } else if (c == '"') {
        ++at_;
        return word;
      } else {
        const int length = utf8_bytes(text_.substr(at_));
        check(length > 0, "a string that is not UTF-8");
        word += text_.substr(at_, static_cast<std::size_t>(length));
        at_ += static_cast<std::size_t>(length);
      }
    }
  }

  /// A finite number.
  double read_number() {
    skip_blanks();
    const auto start = at_;
    const auto digits = [&] {
      const auto first = at_;
      while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
      check(at_ > first, "expected a number");
      return first;
    };
    const auto sees = [&](std::string_view any) { return at_ < text_.size() && any.find(text_[at_]) != any.npos; };
    if (sees("-")) ++at_;
    const auto first = digits();
    check(at_ == first + 1 || text_[first] != '0', "a number that begins with 0");
    if (sees(".")) ++at_, digits();
    if (sees("eE")) {
      ++at_;
      if (sees("+-")) ++at_;
      digits();
    }
    double number = 0;
    const auto problem = std::from_chars(text_.data() + start, text_.data() + at_, number).ec;
    check(problem == std::errc() && std::isfinite(number), "a number beyond the range of double");
    return number;
  }

  /// An array of unsigned integers below 2^63.
  std::vector<index_t> read_integers() {
    std::vector<index_t> numbers;
    expect('[');
    if (accept(']')) return numbers;
    do {
      skip_blanks();
      const auto start = at_;
      index_t n = 0;
      for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_)
        check(!__builtin_mul_overflow(n, index_t{10}, &n) && !__builtin_add_overflow(n, text_[at_] - '0', &n),
              "an integer beyond 2^63");
      check(at_ > start && (at_ == start + 1 || text_[start] != '0'), "expected an unsigned integer");
      numbers.push_back(n);
    } while (accept(','));
    expect(']');
    return numbers;
  }

  /// Throws unless only blanks are left.
  void finish() {
    skip_blanks();
    check(at_ == text_.size(), "text behind the end of the JSON");
  }

  /// Throws `parts` as a sentence about this place unless `holds`.
  template <class... Parts>
  void check(bool holds, const Parts&... parts) const {
    require(holds, source_, ": byte ", first_ + static_cast<index_t>(at_), ": ", parts...);
  }

 private:
  void skip_blanks() { at_ = (std::min)(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

  bool accept(char c) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) { check(accept(c), "expected ", c); }

  std::uint32_t read_code_unit() {
    std::uint32_t code = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      constexpr std::string_view digits = "0123456789abcdefABCDEF";
      const auto digit = at_ < text_.size() ? digits.find(text_[at_]) : digits.npos;
      check(digit != digits.npos, "expected four hexadecimal digits");
      code = 16 * code + static_cast<std::uint32_t>(digit < 16 ? digit : digit - 6);
    }
    return code;
  }

  /// Appends what the escape at at_ stands for, in UTF-8.
  void read_escape(std::string& word) {
    constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    const char c = ++at_ < text_.size() ? text_[at_++] : '\0';
    if (const auto i = letters.find(c); i != letters.npos) {
      word += meanings[i];
      return;
    }
    check(c == 'u', "an escape that JSON does not have");
    std::uint32_t code = read_code_unit();
    check(code < 0xDC00 || code > 0xDFFF, "half a surrogate pair");
    if (code >= 0xD800 && code <= 0xDBFF) {
      check(text_.substr(at_).starts_with("\\u"), "half a surrogate pair");
      at_ += 2;
      const std::uint32_t low = read_code_unit();
      check(low >= 0xDC00 && low <= 0xDFFF, "half a surrogate pair");
      code = 0x10000 + ((code - 0xD800) << 10 | (low - 0xDC00));
    }
    const int tails = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    constexpr std::uint32_t leads[] = {0, 0xC0, 0xE0, 0xF0};
    word += static_cast<char>(leads[tails] | code >> (6 * tails));
    for (int i = tails; i-- > 0;) word += static_cast<char>(0x80 | (code >> (6 * i) & 0x3F));
  }

  std::string_view text_;
  const std::string& source_;
  index_t first_;
  std::size_t at_ = 0;
};

}  // namespace geofact
