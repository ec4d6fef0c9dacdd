#!/usr/bin/env python3
"""compare.py PROGRAM FOLDER [--rounds 3] [--threads 1 2] [--sizes ...] [--systems ...]: geofact beside PyTorch and JAX.

Each measurement is a process of its own on the cores 0 .. threads - 1. The systems take turns, round by round; the
table shows the median of the rounds' medians, and how many times geofact's time and memory each system takes. Before
the clock runs, every system's loss and gradient must agree with geofact's to 1e-4; after it, the losses to 1e-3.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys

SIZES = ("512x4x18x72", "1024x8x256x512", "4096x16x96x384")  # N x R x d x m
SYSTEMS = ("torch-plain", "torch-factorised", "torch-tiled", "torch-compiled-plain", "torch-compiled-factorised",
           "jax-plain", "jax-factorised", "jax-tiled")
# Kernel choices that the environment pins for the sake of older builds.
PINS = ("OPENBLAS_", "NVPL_", "MKL_", "OMP_", "KMP_", "GOTO_", "BLIS_", "XLA_FLAGS")
PEER = pathlib.Path(__file__).with_name("train_step.py")


def environment(threads, folder):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(PINS)}
    eigen = "true" if threads > 1 else "false"
    return kept | {
        "OMP_NUM_THREADS": str(threads), "MKL_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": str(threads),
        "XLA_FLAGS": f"--xla_cpu_multi_thread_eigen={eigen}", "JAX_PLATFORMS": "cpu", "CUDA_VISIBLE_DEVICES": "",
        "TORCHINDUCTOR_CACHE_DIR": str(folder / "torch"), "TORCH_LOGS": "-all",
    }


def run(command, threads, folder):
    cores = f"0-{threads - 1}"
    done = subprocess.run(["taskset", "-c", cores, *map(str, command)], env=environment(threads, folder),
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stderr[-3000:]}")
    return done.stdout


def measure(program, data, threads, steps, rounds, systems, folder):
    """{system: (seconds a step, bytes at the peak, bytes before the data came)}"""
    found = {system: [] for system in ("geofact", *systems)}
    for _ in range(rounds):
        for system in found:
            command = [program, "time", data, threads, steps] if system == "geofact" else \
                [sys.executable, PEER, "time", system, data, threads, steps]
            found[system].append(json.loads(run(command, threads, folder)))
    loss = found["geofact"][0]["loss"]
    for system, results in found.items():
        assert all(abs(one["loss"] - loss) < 1e-3 * loss for one in results), f"{system} trains otherwise: {results}"
    return {
        system: (statistics.median(statistics.median(one["seconds"]) for one in results),
                 max(one["peak"] for one in results), max(one["base"] for one in results))
        for system, results in found.items()
    }


def show(found):
    own_time, own_peak, _ = found["geofact"]
    print(f"  {'':28}{'ms a step':>12}{'ratio':>8}{'peak MB':>12}{'ratio':>8}{'beyond start':>14}")
    for system, (seconds, peak, base) in found.items():
        print(f"  {system:28}{1e3 * seconds:12.2f}{seconds / own_time:8.2f}{peak / 1e6:12.1f}{peak / own_peak:8.2f}"
              f"{(peak - base) / 1e6:14.1f}")
    for framework in ("torch", "jax"):
        times = {system: one[0] for system, one in found.items() if system.startswith(framework)}
        if times:
            best = min(times, key=times.get)
            print(f"  geofact is {times[best] / own_time:.2f} times as fast as the best form of {framework} ({best})")
    print(flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--sizes", nargs="+", default=SIZES, help="N x R x d x m, such as 512x4x18x72")
    parser.add_argument("--systems", nargs="+", default=SYSTEMS)
    options = parser.parse_args()
    everything = {}
    for size in options.sizes:
        n, r, d, m = map(int, size.split("x"))
        data = options.folder / size
        data.mkdir(parents=True, exist_ok=True)
        run([options.program, "write", n, r, d, m, data], 1, options.folder)
        for system in options.systems:
            run([sys.executable, PEER, "check", system, data], 1, options.folder)
        steps = max(3, min(40, int(1e11 / (6.0 * n * n * r * d))))
        for threads in options.threads:
            print(f"N = {n}, R = {r}, d = {d}, m = {m}: {threads} thread{'s' * (threads > 1)}, median of "
                  f"{options.rounds} rounds of {steps} steps", flush=True)
            found = measure(options.program, data, threads, steps, options.rounds, options.systems, options.folder)
            show(found)
            everything[f"{size}, {threads}"] = found
    (options.folder / "results.json").write_text(json.dumps(everything, indent=1))


if __name__ == "__main__":
    main()
