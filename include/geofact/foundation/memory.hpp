#pragma once
#include <unistd.h>

#include <cstdint>

#include "geofact/foundation/extent.hpp"

namespace geofact {

/// Bytes of physical memory of this machine.
inline index_t physical_memory() {
  return checked_product(static_cast<index_t>(sysconf(_SC_PHYS_PAGES)), static_cast<index_t>(sysconf(_SC_PAGESIZE)));
}

/// Refuses a buffer before it is allocated: throws if `count` items of `item_size` bytes exceed this machine's memory.
inline void require_memory(index_t count, index_t item_size, const char* what) {
  const index_t limit = physical_memory(), bytes = checked_product(count, item_size);
  require(bytes <= limit, what, " would take ", bytes, " bytes (", bytes >> 20, " MiB) but this machine has ",
          limit >> 20, " MiB of memory");
}

}  // namespace geofact
