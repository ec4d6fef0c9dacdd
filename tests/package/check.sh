#!/usr/bin/env bash
# check.sh find_package|add_subdirectory|command_line BUILD COMPILER EIGEN: builds and runs the program of
# examples/package as a project outside this one would. check.sh gpu BUILD COMPILER NVCC: one that links geofact::gpu.
set -euo pipefail
way=$1 build=$2 compiler=$3 eigen=$4 nvcc=$4
root=$(cd "$(dirname "$0")/../.." && pwd)
cmake=${CMAKE:-cmake}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

build_consumer() { # SOURCE OPTION...
  "$cmake" -S "$1" -B "$folder/build" -G Ninja -D CMAKE_CXX_COMPILER="$compiler" "${@:2}"
  "$cmake" --build "$folder/build"
  "$folder/build/consumer"
}

case $way in
find_package)
  "$cmake" --install "$build" --prefix "$folder/first"
  mv "$folder/first" "$folder/moved" # an installation can move
  build_consumer "$root/examples/package" -D CMAKE_PREFIX_PATH="$folder/moved"
  # Configured, not built: the examples are built with the same target.
  "$cmake" -S "$root/tests/package/instances" -B "$folder/instances" -G Ninja -D CMAKE_CXX_COMPILER="$compiler" \
    -D CMAKE_PREFIX_PATH="$folder/moved"
  ;;
add_subdirectory)
  build_consumer "$root/tests/package/subdirectory"
  ;;
command_line)
  "$compiler" -std=c++20 -pthread -I "$root/include" -isystem "$eigen" "$root/examples/package/main.cpp" -o "$folder/consumer"
  "$folder/consumer"
  ;;
gpu)
  "$cmake" --install "$build" --prefix "$folder/installed"
  build_consumer "$root/tests/package/gpu" -D CMAKE_PREFIX_PATH="$folder/installed" -D CMAKE_CUDA_COMPILER="$nvcc" \
    -D CMAKE_CUDA_ARCHITECTURES=90
  ;;
*)
  echo "unknown way: $way" >&2
  exit 2
  ;;
esac
