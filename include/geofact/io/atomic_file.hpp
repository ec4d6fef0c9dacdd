#pragma once
#include <sys/file.h>

#include <cstdio>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <tuple>

#include "geofact/io/mapped_file.hpp"

namespace geofact {

/// Writes a file so that its name always stands for a whole version, the old or the new one: the bytes go to a
/// temporary beside it, reach the disk, and the temporary is renamed. Unless commit() is reached the old file stays and
/// the temporary is removed; a killed program leaves it behind, and the next one that writes this file takes it over.
class atomic_file {
 public:
  /// Throws if `path` is there and no regular file, if its folder is missing or closed to us, or if another writer is
  /// at work on it. Follows a symbolic link and keeps the permissions of the old file.
  explicit atomic_file(const std::string& path) : path_(target(path)), temporary_(path_ + ".geofact-tmp") {
    struct stat old {};
    const bool is_there = stat(path_.c_str(), &old) == 0;
    require(!is_there || S_ISREG(old.st_mode), path_, ": not a regular file");
    while (!open_temporary()) {
    }
    if (is_there) std::ignore = fchmod(file_, old.st_mode & 07777);
  }
  atomic_file(const atomic_file&) = delete;
  atomic_file& operator=(const atomic_file&) = delete;
  ~atomic_file() {
    if (file_ >= 0) unlink(temporary_.c_str());
  }

  const std::string& path() const { return path_; }

  /// Appends; throws where the disk does not take the bytes.
  void write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const auto written = ::write(file_, bytes.data(), bytes.size());
      require(written >= 0 || errno == EINTR, path_, ": could not be written: ", std::strerror(errno));
      if (written > 0) bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }
  void write(std::string_view text) { write(std::as_bytes(std::span(text.data(), text.size()))); }

  /// Puts the new version in place of the old one; the last call on this object. Throws, and leaves the old one, where
  /// that fails.
  void commit() {
    require(fsync(file_) == 0, path_, ": could not be written: ", std::strerror(errno));
    require(std::rename(temporary_.c_str(), path_.c_str()) == 0, path_,
            ": could not be replaced: ", std::strerror(errno));
    file_ = detail::descriptor();
    // The name reaches the disk too, where the file system offers that.
    const auto parent = std::filesystem::path(path_).parent_path();
    const detail::descriptor folder(open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder >= 0) fsync(folder);
  }

 private:
  static std::string target(const std::string& path) {
    std::error_code problem;
    const bool is_link = std::filesystem::is_symlink(path, problem);
    const auto resolved = is_link ? std::filesystem::weakly_canonical(path, problem) : std::filesystem::path(path);
    require(!problem || !is_link, path, ": ", problem.message());
    return resolved.string();
  }

  /// Opens and locks the temporary; false if its last writer has just renamed or removed it.
  bool open_temporary() {
    detail::descriptor file(open(temporary_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666));
    require(file >= 0, path_, ": ", temporary_, " could not be opened: ", std::strerror(errno));
    require(flock(file, LOCK_EX | LOCK_NB) == 0, path_, ": is being written by somebody else");
    struct stat opened {
    }, named{};
    if (fstat(file, &opened) != 0 || lstat(temporary_.c_str(), &named) != 0 || opened.st_ino != named.st_ino)
      return false;
    require(S_ISREG(opened.st_mode) && ftruncate(file, 0) == 0, path_, ": ", temporary_, " is in the way");
    file_ = std::move(file);
    return true;
  }

  std::string path_, temporary_;
  detail::descriptor file_;
};

}  // namespace geofact
