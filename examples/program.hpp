#pragma once
#include <CLI/CLI.hpp>
#include <iostream>

#include "geofact/foundation/error.hpp"

/// Reads the command line: false where help was asked for, which is printed. Throws, with what is wrong, otherwise.
inline bool parse(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return false;
  } catch (const CLI::ParseError& failure) {
    throw geofact::error(failure.what());
  }
  return true;
}

/// Runs a program to its exit code. What it throws becomes one sentence and code 2.
inline int run_program(const char* name, int (*program)(int, char**), int argc, char** argv) {
  try {
    return program(argc, argv);
  } catch (const std::exception& failure) {
    std::cerr << name << ": " << failure.what() << '\n';
    return 2;
  }
}
