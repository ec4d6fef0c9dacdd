#pragma once
#include <unistd.h>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <sys/wait.h>

/// What a program printed on both streams, and how it ended.
struct outcome {
  int code;
  std::string text;
};

/// Runs a command line.
inline outcome shell(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text};
}

/// Runs an example program through the shell, as a user does.
inline outcome run(const std::string& program_and_arguments, const std::string& redirect = " 2>&1") {
  return shell(std::string(GEOFACT_PROGRAMS) + '/' + program_and_arguments + redirect);
}

inline std::string data(const std::string& name) { return std::string(GEOFACT_DATA) + '/' + name; }

/// A file that lives as long as this object.
class scratch_file {
 public:
  explicit scratch_file(const std::string& text, const std::string& name = "facts.tsv")
      : path_(std::filesystem::temp_directory_path() /
              (std::to_string(getpid()) + '_' + std::to_string(++made()) + '_' + name)) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  scratch_file(const scratch_file&) = delete;
  scratch_file& operator=(const scratch_file&) = delete;
  ~scratch_file() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  static int& made() {
    static int count = 0;
    return count;
  }
  std::filesystem::path path_;
};
