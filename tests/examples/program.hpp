#pragma once
#include <doctest/doctest.h>
#include <unistd.h>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
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

/// What a program says with --json.
inline nlohmann::json report_of(const std::string& program, const std::string& arguments) {
  const outcome done = run(program + ' ' + arguments + " --json", " 2>/dev/null");
  CAPTURE(arguments);
  CAPTURE(done.text);
  REQUIRE(done.code == 0);
  return nlohmann::json::parse(done.text);
}

/// Bad input ends with code 2 and one sentence that holds `words`.
inline void check_refusal(const std::string& program, const std::string& arguments, const std::string& words) {
  const outcome done = run(program + ' ' + arguments);
  CAPTURE(arguments);
  CAPTURE(done.text);
  CHECK(done.code == 2);
  CHECK(done.text.starts_with(program + ": "));
  CHECK(done.text.find(words) != std::string::npos);
  CHECK(done.text.find('\n') == done.text.size() - 1);
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
