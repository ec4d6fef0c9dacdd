#!/usr/bin/env python3
"""check_files.py FOLDER: reads the files that the tests of io wrote there and compares them with the pattern of
make_fixtures.py, number by number, type by type; then writes NumPy's own beside them, as from_python.*, for the tests
to read. Prints how many arrays agreed.
"""

import pathlib
import sys

sys.dont_write_bytecode = True
import numpy as np
from make_fixtures import SHAPES, TYPES, pattern
from safetensors import safe_open
from safetensors.numpy import save_file

folder = pathlib.Path(sys.argv[1])
agreed = 0


def check(where, found, name, shape):
    global agreed
    wanted = pattern(name, shape)
    if found.dtype != wanted.dtype or found.shape != wanted.shape or not np.array_equal(found, wanted):
        sys.exit(f"{where}: expected {wanted.dtype} {wanted.shape}\n{wanted}\nfound {found.dtype} {found.shape}\n{found}")
    agreed += 1


for name in TYPES:
    for kind, shape in SHAPES.items():
        for order in ("c", "fortran"):
            if name != "BF16":
                path = folder / f"{name}_{kind}_{order}.npy"
                array = np.load(path, mmap_mode=None if 0 in shape else "r")
                check(path.name, array, name, shape)
                if order == "fortran" and kind in ("2d", "3d") and not array.flags.f_contiguous:
                    sys.exit(f"{path.name} is not in Fortran order")
with safe_open(folder / "all.safetensors", "np") as file:
    if file.metadata() != {"k\u00e9y \"\n": "\U0001f600\\"}:
        sys.exit(f"metadata {file.metadata()}")
    if len(file.keys()) != len(TYPES) * len(SHAPES):
        sys.exit(f"keys {file.keys()}")
    for name in TYPES:
        for kind, shape in SHAPES.items():
            check(f"all.safetensors {name}_{kind}", file.get_tensor(f"{name}_{kind}"), name, shape)

save_file({f"{name}_{kind}": pattern(name, shape) for name in TYPES for kind, shape in SHAPES.items()},
          folder / "from_python.safetensors", metadata={"from": "python"})
np.save(folder / "from_python.npy", np.asfortranarray(pattern("F16", (3, 4))))
print(agreed, "arrays agreed")
