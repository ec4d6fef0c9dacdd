#!/usr/bin/env bash
# Installs what is missing and runs every test: those of the programs, the packages and the compiler with g++, those of
# the layers with clang++ under the sanitizers. Has clang++ read each header by itself and the examples.
# tests/run.sh --quick: everything with g++ alone. tests/run.sh --full: the layers with g++ as well, each header by itself
# too, instances and benchmarks read by clang++, the benchmarks built as users build them and run once.
set -euo pipefail
cd "$(dirname "$0")/.."
source cmake/install_packages.sh

extent=${1:---usual}
unread=geofact_instances # which clang++ compiles in the tests of training and probe, nearly all of it
case $extent in # whether g++ does the layers' tests too, and whether benchmarks are looked at
--quick) layers=ON benchmarks=OFF ;;
--usual) layers=OFF benchmarks=OFF ;;
--full) layers=ON benchmarks=ON unread= ;;
*) echo "usage: tests/run.sh [--quick | --full]" >&2 && exit 2 ;;
esac
jobs=$(nproc)
logs=build/logs
mkdir -p "$logs"
passed=0 failed=0 skipped=0

# stage NAME COMMAND...: runs it with its output in a log, and tells the time; the log's end is shown on failure. (A
# function that is called like this goes on after a failure unless it says otherwise.)
stage() {
  local name=$1 log="$logs/${1//[^a-z+]/_}.log" start=$SECONDS verdict=ok
  shift
  "$@" </dev/null >"$log" 2>&1 || verdict=FAILED
  count_tests "$log"
  printf '%-40s %-6s %4d s\n' "$name" $verdict $((SECONDS - start))
  if [ $verdict = FAILED ]; then
    if [ $failed = 0 ]; then failed=1; fi
    printf '\n--- the end of %s\n' "$log"
    tail -n 80 "$log"
    summary
    exit 1
  fi
}

# Adds up the totals that ctest printed into a log, if any.
count_tests() {
  local line bad total left_out
  line=$(grep -E '^[0-9]+% tests passed, ' "$1" | tail -n 1) || return 0
  bad=$(sed -E 's/.*passed, ([0-9]+) tests? failed.*/\1/' <<<"$line")
  total=$(sed -E 's/.* out of ([0-9]+).*/\1/' <<<"$line")
  left_out=$(grep -c '\*\*\*Skipped' "$1") || true
  failed=$((failed + bad)) skipped=$((skipped + left_out)) passed=$((passed + total - bad - left_out))
}

summary() {
  printf '\n%d passed, %d failed, %d skipped\n' $passed $failed $skipped
}

# All sources of a program as one: what they instantiate alike is compiled once, which halves the time.
configure() { # PRESET OPTION...
  cmake --preset "$@" -D CMAKE_UNITY_BUILD=ON -D CMAKE_UNITY_BUILD_BATCH_SIZE=0
}

build() { # PRESET OPTION...
  configure "$@" && cmake --build --preset "$1" -j "$jobs"
}

build_benchmarks() {
  configure release && cmake --build --preset release -j "$jobs" -t benchmarks
}

# Only to hear the compiler's opinion: no code is made. In a folder of its own, for it has no tests.
read_with_clang() {
  configure clang -B build/clang-read -D GEOFACT_TESTS=OFF -D GEOFACT_BENCHMARKS=$benchmarks &&
    python3 tests/check_syntax.py build/clang-read $unread
}

# Side by side, as nobody reads their times; what each prints stays together.
run_benchmarks() {
  printf '%s\0' build/release/benchmarks/bench_* | xargs -0 -n 1 -P "$jobs" sh -c '
    said=$("$0" --benchmark_min_time=0.001 2>&1)
    code=$?
    printf "== %s\n%s\n" "$0" "$said"
    exit $code'
}

export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 # a clone elsewhere finds what this one compiled
stage 'packages' install_packages g++ clang libclang-rt-14-dev cmake ninja-build ccache clang-format-14 python3 \
  libeigen3-dev doctest-dev libbenchmark-dev libcli11-dev nlohmann-json3-dev libboost-dev gnuplot-nox \
  iso-codes miscfiles wordnet-base openmpi-bin libopenmpi-dev procps
stage 'g++: build' build dev -D GEOFACT_LAYER_TESTS=$layers
if grep -q '^GEOFACT_CUDA:BOOL=ON' build/dev/CMakeCache.txt; then
  stage 'nvcc: kernels and tests' cmake --build --preset dev -t nvcc
  if [ $benchmarks = ON ]; then stage 'nvcc: benchmark' cmake --build --preset dev -t gpu_step; fi
else
  printf '%-40s %s\n' 'nvcc: kernels and tests' 'skipped: nvcc is missing'
  skipped=$((skipped + 1))
fi
stage 'g++: tests' ctest --preset dev -j "$jobs"
if [ "$extent" != --quick ]; then
  stage 'clang++, sanitizers: build' build asan
  stage 'clang++, sanitizers: tests' ctest --preset asan -j "$jobs" -LE house
  stage 'clang++: each header, examples' read_with_clang
fi
if [ "$extent" = --full ]; then
  stage 'g++: each header by itself' cmake --build --preset dev -t all_verify_interface_header_sets
  stage 'benchmarks: build' build_benchmarks
  stage 'benchmarks: run once' run_benchmarks
fi
summary
