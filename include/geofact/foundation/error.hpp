#pragma once
#include <sstream>
#include <stdexcept>

namespace geofact {

/// Every failure the library reports: one sentence that names the file, line or size at fault.
struct error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

namespace detail {
template <class... Parts>
[[noreturn, gnu::cold, gnu::noinline]] void fail(const Parts&... parts) {
  std::ostringstream sentence;
  (sentence << ... << parts);
  throw error(sentence.str());
}
}  // namespace detail

/// Throws geofact::error with the concatenated `parts` unless `holds`; inside a constant expression it stops the
/// compiler.
template <class... Parts>
constexpr void require(bool holds, const Parts&... parts) {
  if (!holds) [[unlikely]]
    detail::fail(parts...);
}

}  // namespace geofact
