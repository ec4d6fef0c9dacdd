#!/usr/bin/env bash
# benchmarks/peers/run.sh [OPTION...]: the same training step in geofact, PyTorch and JAX, side by side, with the ratios
# of time and memory. Options are those of compare.py, such as --threads 1 --sizes 512x4x18x72 --rounds 5.
# GEOFACT_VENV names a virtual environment with numpy, safetensors, torch and jax; by default one in build/peers.
set -euo pipefail
cd "$(dirname "$0")/../.."
source cmake/install_packages.sh

build=$PWD/build/peers
venv=${GEOFACT_VENV:-$build/venv}
install_packages g++ cmake ninja-build python3-venv libeigen3-dev util-linux
if [ ! -x "$venv/bin/python" ]; then python3 -m venv "$venv"; fi
if ! "$venv/bin/python" -c 'import jax, numpy, safetensors, torch' 2>/dev/null; then
  echo "installing numpy, safetensors, torch and jax into $venv"
  "$venv/bin/python" -m pip install --quiet numpy safetensors torch jax
fi
cmake --preset release -B "$build/release" -D GEOFACT_TESTS=OFF -D GEOFACT_EXAMPLES=OFF >/dev/null
cmake --build "$build/release" --target train_step >/dev/null
exec "$venv/bin/python" benchmarks/peers/compare.py "$build/release/benchmarks/train_step" "$build/data" "$@"
