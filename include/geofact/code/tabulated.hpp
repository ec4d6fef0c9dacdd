#pragma once
#include <vector>

#include "geofact/code/codebook.hpp"
#include "geofact/foundation/memory.hpp"

namespace geofact {

/// Any code, read off a table of its coordinates: one type for codes that are chosen at run time.
template <class Number>
class tabulated_code {
 public:
  /// Copies a code; throws where the table does not fit this machine's memory. O(A m), and what code.margin() takes.
  template <codebook Code>
  explicit tabulated_code(const Code& code)
      : attributes_(code.attributes()),
        length_(code.length()),
        bits_(code.bits()),
        bound_(static_cast<Number>(code.bound())),
        norm_(static_cast<Number>(code.norm())),
        margin_(static_cast<Number>(code.margin())),
        sensitivity_(code.sensitivity()) {
    static_assert(!std::integral<Number> || is_integer_code<Code>,
                  "a code with real coordinates needs a table of them");
    const index_t size = checked_product(attributes_, length_);
    require_memory(size, sizeof(Number), "the table of this code");
    table_.reserve(static_cast<std::size_t>(size));
    for (int a = 0; a < attributes_; ++a)
      for (int j = 0; j < length_; ++j) table_.push_back(static_cast<Number>(code(a, j)));
  }

  int attributes() const { return attributes_; }
  int length() const { return length_; }
  int bits() const { return bits_; }
  Number bound() const { return bound_; }
  Number norm() const { return norm_; }
  Number margin() const { return margin_; }
  double sensitivity() const { return sensitivity_; }
  Number operator()(int a, int j) const { return table_[static_cast<std::size_t>(index_t{a} * length_ + j)]; }

 private:
  int attributes_, length_, bits_;
  Number bound_, norm_, margin_;
  double sensitivity_;
  std::vector<Number> table_;
};

}  // namespace geofact
