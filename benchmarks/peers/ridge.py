#!/usr/bin/env python3
"""Ridge probes of geofact beside scikit-learn, on the same numbers, with the same number of threads.

    python3 benchmarks/peers/ridge.py [--subjects 4096] [--width 1024] [--relations 16] [--threads 2]

For each relation a map from the states (N x d) to the vectors of its answers (d wide). Two tasks:

    one penalty      Ridge(alpha), in a loop over the relations and once with the targets of all of them side by side
    ten penalties    RidgeCV(alphas): the best by exact leave-one-out, once for each relation

geofact fits all relations by one decomposition. Prints seconds, the ratios, and how far the maps are apart. The data are
float32; scikit-learn's maps are compared with geofact's in relative size. Needs numpy, scikit-learn, a compiler and Eigen.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--subjects", type=int, default=4096)
parser.add_argument("--width", type=int, default=1024)
parser.add_argument("--relations", type=int, default=16)
parser.add_argument("--threads", type=int, default=2)
parser.add_argument("--cv-relations", type=int, default=2, help="relations for RidgeCV, which takes long; its time is scaled up")
options = parser.parse_args()
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = str(options.threads)

import numpy  # noqa: E402  (after the number of threads is set)
import sklearn  # noqa: E402
from sklearn.linear_model import Ridge, RidgeCV  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
LAMBDAS = [1e-8, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100]


def timed(work):
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def exact(x, y, alpha):
    """The map in double precision, by the normal equations."""
    y = y - y.mean(0, dtype=numpy.float64)
    gram = x.T @ x
    gram.flat[:: len(gram) + 1] += alpha
    return numpy.linalg.solve(gram, x.T @ y).T


def distance(a, b):
    return float(numpy.linalg.norm(a.astype(numpy.float64) - b) / numpy.linalg.norm(b.astype(numpy.float64)))


with tempfile.TemporaryDirectory() as folder:
    program = pathlib.Path(folder) / "ridge"
    subprocess.run([os.environ.get("CXX", "g++"), "-std=c++20", "-O3", "-march=native", "-DNDEBUG", "-w", "-pthread",
                    f"-I{ROOT}/include", "-isystem", "/usr/include/eigen3", ROOT / "benchmarks/peers/ridge.cpp",
                    "-o", program], check=True)
    n, d, r = options.subjects, options.width, options.relations
    random = numpy.random.default_rng(1)
    targets = random.standard_normal((n, d), dtype=numpy.float32) / numpy.float32(d**0.5)
    facts = numpy.stack([random.permutation(n) for _ in range(r)]).astype(numpy.int32)
    states = random.standard_normal((n, d), dtype=numpy.float32) / numpy.float32(d**0.5)
    for relation in facts:
        states += targets[relation]
    for name, array in (("states", states), ("targets", targets), ("facts", facts)):
        numpy.save(pathlib.Path(folder) / f"{name}.npy", array)

    def geofact(lambdas):
        best = None
        for _ in range(3):
            words = subprocess.run([program, folder, str(options.threads), *map(str, lambdas)], check=True,
                                   capture_output=True, text=True).stdout.split()
            best = min(best or 1e9, float(words[0]))
        return best, numpy.load(pathlib.Path(folder) / "maps.npy"), [float(word) for word in words[1:]]

    centred = states.astype(numpy.float64) - states.mean(0, dtype=numpy.float64)
    unit = float((centred**2).sum() / d)  # the mean eigenvalue
    y = [targets[relation] for relation in facts]
    print(f"N = {n}, d = {d}, R = {r}, {options.threads} threads, scikit-learn {sklearn.__version__}, numpy {numpy.__version__}")

    own, maps, _ = geofact([0.1])
    loop, fits = timed(lambda: [Ridge(alpha=0.1 * unit).fit(states, one).coef_ for one in y])
    apart = max(distance(a, b) for a, b in zip(maps, fits))
    stacked, _ = timed(lambda: Ridge(alpha=0.1 * unit).fit(states, numpy.concatenate(y, axis=1)))
    print(f"one penalty:   geofact {own:.2f} s (with the leave-one-out error); Ridge, a relation at a time {loop:.2f} s, "
          f"all at once {stacked:.2f} s; ratios {loop / own:.2f}, {stacked / own:.2f}; maps apart by {apart:.1e}")

    own, maps, chosen = geofact(LAMBDAS)
    some = min(options.cv_relations, r)
    alphas = [one * unit for one in LAMBDAS]
    seconds, fits = timed(lambda: [RidgeCV(alphas=alphas).fit(states, one) for one in y[:some]])
    apart = max(distance(a, b.coef_) for a, b in zip(maps, fits))
    same = all(abs(b.alpha_ / unit / c - 1) < 1e-3 for b, c in zip(fits, chosen))
    reference = exact(centred, y[0], fits[0].alpha_)
    print(f"relation 0 against double precision: geofact {distance(maps[0], reference):.1e}, "
          f"RidgeCV {distance(fits[0].coef_, reference):.1e}; penalty {chosen[0]:g} mean eigenvalues")
    print(f"ten penalties: geofact {own:.2f} s; RidgeCV {seconds * r / some:.2f} s ({some} of {r} relations, scaled up); "
          f"ratio {seconds * r / some / own:.1f}; maps apart by {apart:.1e}; {'the same' if same else 'OTHER'} penalties chosen")
    if not same:
        sys.exit(1)
