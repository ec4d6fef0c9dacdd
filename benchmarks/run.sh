#!/usr/bin/env bash
# benchmarks/run.sh [OPTION...]: builds all benchmarks as fast as this machine goes and runs them; the options are
# Google Benchmark's, such as --benchmark_filter=verify.
set -euo pipefail
cd "$(dirname "$0")/.."
source cmake/install_packages.sh

install_packages g++ cmake ninja-build python3 libeigen3-dev libcli11-dev nlohmann-json3-dev doctest-dev libbenchmark-dev
cmake --preset release >/dev/null
cmake --build --preset release --target benchmarks
for program in build/release/benchmarks/bench_*; do
  printf '\n%s\n' "$program"
  "$program" "$@"
done
