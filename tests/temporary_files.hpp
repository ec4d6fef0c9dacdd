#pragma once
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace files {

/// A folder of this test alone, removed at its end; in memory where that is to be had, since there fsync costs nothing.
class temporary_folder {
 public:
  temporary_folder() {
    static int count = 0;
    const bool has_memory = access("/dev/shm", W_OK) == 0;
    path_ = (has_memory ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path()) /
            ("geofact_test_" + std::to_string(getpid()) + '_' + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  ~temporary_folder() { std::filesystem::remove_all(path_); }

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::size_t size() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

inline std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void put(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace files
