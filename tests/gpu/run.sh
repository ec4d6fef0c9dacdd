#!/usr/bin/env bash
# For a machine with a GPU: builds for it, checks every kernel and training on it, looks for races and illegal accesses
# with compute-sanitizer where that is installed, and prints step times beside PyTorch. Under 8 minutes.
# tests/gpu/run.sh [BUILD_FOLDER]
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${1:-build/gpu}
export GEOFACT_REQUIRE_GPU=1

nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv
cmake -S . -B "$build" -D CMAKE_BUILD_TYPE=Release -D GEOFACT_CUDA=ON -D CMAKE_CUDA_ARCHITECTURES=native \
  -D GEOFACT_EXAMPLES=OFF -D GEOFACT_BENCHMARKS=OFF
cmake --build "$build" -j "$(nproc)" -t nvcc gpu_step test_gpu test_gpu_fake
"$build/tests/test_gpu"
"$build/tests/test_gpu_fake"
"$build/tests/test_gpu_device"
if command -v compute-sanitizer >/dev/null; then
  # The smallest case that launches every kernel.
  for tool in memcheck racecheck synccheck initcheck; do
    echo "== compute-sanitizer $tool"
    timeout 120 compute-sanitizer --tool "$tool" --error-exitcode 9 "$build/tests/test_gpu_device" -tc="every kernel*"
  done
else
  echo "skipped: compute-sanitizer is not installed"
fi
python3 benchmarks/gpu/compare.py "$build/tests/gpu_step"
