#pragma once
#include <initializer_list>
#include <memory>
#include <ostream>
#include <sstream>
#include <stdexcept>

namespace geofact {

/// Every failure the library reports: one sentence that names the file, line or size at fault.
struct error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

namespace detail {
/// Something that a sentence is made of, by reference: so `fail` is compiled once, not once a sentence.
class part {
 public:
  part(const char* text)
      : value_(text), write_([](std::ostream& out, const void* value) { out << static_cast<const char*>(value); }) {}
  template <class T>
  part(const T& value)
      : value_(std::addressof(value)),
        write_([](std::ostream& out, const void* of) { out << *static_cast<const T*>(of); }) {}

  friend std::ostream& operator<<(std::ostream& out, const part& p) {
    p.write_(out, p.value_);
    return out;
  }

 private:
  const void* value_;
  void (*write_)(std::ostream&, const void*);
};

[[noreturn, gnu::cold, gnu::noinline]] inline void fail(std::initializer_list<part> parts) {
  std::ostringstream sentence;
  for (const part& p : parts) sentence << p;
  throw error(sentence.str());
}
}  // namespace detail

/// Throws geofact::error with the concatenated `parts` unless `holds`; inside a constant expression it stops the
/// compiler.
template <class... Parts>
constexpr void require(bool holds, const Parts&... parts) {
  if (!holds) [[unlikely]]
    detail::fail({parts...});
}

}  // namespace geofact
