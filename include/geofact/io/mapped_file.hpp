#pragma once
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include "geofact/foundation/extent.hpp"

namespace geofact {

namespace detail {
/// A file descriptor, closed at the end.
class descriptor {
 public:
  explicit descriptor(int number = -1) : number_(number) {}
  descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~descriptor() {
    if (number_ >= 0) close(number_);
  }
  operator int() const { return number_; }

 private:
  int number_;
};
}  // namespace detail

/// The bytes of a regular file, mapped read-only: they are read from disk when touched. A file that another program
/// shortens in the meantime ends this one with SIGBUS; atomic_file never shortens a file, it replaces it.
class mapped_file {
 public:
  /// Throws for what is missing, cannot be opened, or is no regular file (a folder, a device, a pipe).
  explicit mapped_file(std::string path) : path_(std::move(path)) {
    const detail::descriptor file(open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // a pipe would wait
    require(file >= 0, path_, errno == ENOENT ? ": no such file" : ": could not be opened: ",
            errno == ENOENT ? "" : std::strerror(errno));
    struct stat status {};
    require(fstat(file, &status) == 0, path_, ": ", std::strerror(errno));
    require(S_ISREG(status.st_mode), path_, ": not a regular file");
    size_ = static_cast<index_t>(status.st_size);
    if (size_ == 0) return;
    void* const start = mmap(nullptr, static_cast<std::size_t>(size_), PROT_READ, MAP_SHARED, file, 0);
    require(start != MAP_FAILED, path_, ": its ", size_, " bytes could not be mapped: ", std::strerror(errno));
    start_ = static_cast<std::byte*>(start);
  }

  mapped_file(mapped_file&& other) noexcept
      : path_(std::move(other.path_)),
        start_(std::exchange(other.start_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}
  mapped_file& operator=(mapped_file&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(start_, other.start_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~mapped_file() {
    if (start_ != nullptr) munmap(start_, static_cast<std::size_t>(size_));
  }

  const std::string& path() const { return path_; }
  index_t size() const { return size_; }
  const std::byte* data() const { return start_; }
  std::span<const std::byte> bytes() const { return {start_, static_cast<std::size_t>(size_)}; }

  /// Lets go of the memory that holds these bytes of the file; they are read again when touched. Throws if they are not
  /// of this file.
  void release(std::span<const std::byte> part) const {
    if (part.empty()) return;
    const index_t page = static_cast<index_t>(sysconf(_SC_PAGESIZE)), first = part.data() - start_;
    require(first >= 0 && first <= size_ && static_cast<index_t>(part.size()) <= size_ - first, path_,
            ": cannot release bytes of another file");
    const index_t begin = (first + page - 1) / page * page,
                  end = (first + static_cast<index_t>(part.size())) / page * page;
    if (begin < end) madvise(start_ + begin, static_cast<std::size_t>(end - begin), MADV_DONTNEED);
  }

 private:
  std::string path_;
  std::byte* start_ = nullptr;
  index_t size_ = 0;
};

}  // namespace geofact
