#!/usr/bin/env python3
"""make_fixtures.py [FOLDER]: writes the small files that the tests of io read, with NumPy and safetensors as they are.

Needs numpy, safetensors and ml_dtypes; made with NumPy 2.4.6 and safetensors 0.8.0. The default folder is data/ beside
this file. Number k of an array, in row-major order, is pattern(k) of its type.
"""

import pathlib
import sys

import ml_dtypes
import numpy as np
from safetensors.numpy import save_file

TYPES = {
    "F64": np.float64, "F32": np.float32, "F16": np.float16, "BF16": ml_dtypes.bfloat16, "I64": np.int64,
    "I32": np.int32, "I16": np.int16, "I8": np.int8, "U8": np.uint8, "BOOL": np.bool_,
}
SHAPES = {"0d": (), "1d": (5,), "2d": (3, 4), "3d": (2, 3, 4), "row": (1, 5), "column": (5, 1), "empty": (0, 3)}

AXES = (15, 36, 57)  # with so many axes of 1 the header ends at a multiple of 64, or one byte beside it


def pattern(name, shape):
    """v = (37 k + 11) mod 101: quarters from -12.5 for real types, from -50 for signed integers, parity for BOOL."""
    v = (np.arange(np.prod(shape, dtype=int)) * 37 + 11) % 101
    v = v if name == "U8" else v % 2 == 1 if name == "BOOL" else v - 50 if name[0] == "I" else (v - 50) / 4
    return v.astype(TYPES[name]).reshape(shape)


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name in TYPES:
        if name != "BF16":
            np.save(folder / f"{name}_2d.npy", pattern(name, SHAPES["2d"]))
    for kind, shape in SHAPES.items():
        np.save(folder / f"F32_{kind}.npy", pattern("F32", shape))
        np.save(folder / f"F32_{kind}_fortran.npy", np.asfortranarray(pattern("F32", shape)).reshape(shape, order="A"))
    for version in ((2, 0), (3, 0)):
        with open(folder / f"F32_version{version[0]}.npy", "wb") as file:
            np.lib.format.write_array(file, pattern("F32", SHAPES["2d"]), version=version)
    for axes in AXES:
        np.save(folder / f"F32_axes{axes}.npy", pattern("F32", (1,) * axes))

    # What is refused.
    np.save(folder / "refused_objects.npy", np.array([{"a": 1}, None], dtype=object), allow_pickle=True)
    np.save(folder / "refused_records.npy", np.zeros(2, dtype=[("a", "<f4"), ("b", "<i2")]))
    np.save(folder / "refused_big_endian.npy", np.arange(3, dtype=">f4"))
    np.save(folder / "refused_words.npy", np.array(["ab", "c"]))
    np.save(folder / "refused_complex.npy", np.zeros(2, dtype=np.complex64))
    np.save(folder / "refused_bfloat16.npy", pattern("BF16", (3,)))

    types = {f"{name}_2d": pattern(name, SHAPES["2d"]) for name in TYPES}
    save_file(types, folder / "types.safetensors", metadata={'a "key" \u00e9\n': "a\\value \U0001f600"})
    save_file({kind: pattern("F32", shape) for kind, shape in SHAPES.items()}, folder / "shapes.safetensors")
    save_file({}, folder / "nothing.safetensors")
    save_file({"code": np.zeros(3, dtype=np.uint64)}, folder / "refused_U64.safetensors")

    arrays = {"states": pattern("F16", SHAPES["3d"]), "answers": pattern("F32", SHAPES["2d"])}
    np.savez(folder / "arrays.npz", **arrays, words=np.array(["ab", "c"]))
    np.savez_compressed(folder / "refused_compressed.npz", **arrays)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent / "data")
