#!/usr/bin/env python3
"""check_layers.py ROOT: checks that the headers under ROOT/include keep the order of the house.

A header includes only its own folder or a layer below it, by its full path from include/; only foundation/matrix.hpp
includes Eigen; every header begins with #pragma once; every macro is called GEOFACT_*. Each violation is named and the
exit code is 1. Headers without a test of their name are listed as a warning.

check_layers.py --self-test: checks that planted violations are found.
"""

import pathlib
import re
import sys
import tempfile

# Each layer, and the layers right below it.
BELOW = {
    "foundation": [],
    "fact": ["foundation"],
    "code": ["foundation"],
    "model": ["fact", "code"],
    "construction": ["model"],
    "bound": ["model"],
    "io": ["model"],
    "training": ["construction", "bound", "io"],
    "probe": ["training"],
    "gpu": ["training"],
}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
DEFINE = re.compile(r"^\s*#\s*define\s+(\w+)")


def reachable(layer):
    """The layer itself and all below it."""
    found = {layer}
    for lower in BELOW[layer]:
        found |= reachable(lower)
    return found


def layer_of(name):
    """The folder of a header; "" for those at the top."""
    return name.split("/")[0] if "/" in name else ""


def edge_fault(name, target):
    """What is wrong with header `name` including header `target`, both relative to include/geofact; or None."""
    here, there = layer_of(name), layer_of(target)
    for header, layer in ((name, here), (target, there)):
        if layer and layer not in BELOW:
            return f"{header} is in no known layer"
    if not there:
        if (name, target) == ("geofact.hpp", "instances.hpp"):
            return None
        umbrella = target.removesuffix(".hpp") in ("geofact", "gpu", "instances")
        return f"{name} includes the umbrella {target}" if umbrella else None
    if not here:
        return None if name.startswith(("geofact.", "gpu.", "instances.")) else f"{name} includes {target}: it is below every layer"
    if there in reachable(here):
        return None
    return f"{name} includes {target}: {here} is {'below' if here in reachable(there) else 'beside'} {there}"


def header_faults(name, text):
    """All violations of one header."""
    lines = text.splitlines()
    if not lines or lines[0] != "#pragma once":
        yield f"{name} does not begin with #pragma once"
    for line in lines:
        if include := INCLUDE.match(line):
            quote, target = include.groups()
            if target.startswith(("Eigen/", "unsupported/Eigen")) and name != "foundation/matrix.hpp":
                yield f"{name} includes <{target}>: only foundation/matrix.hpp includes Eigen"
            elif target.startswith("geofact/"):
                if fault := edge_fault(name, target.removeprefix("geofact/")):
                    yield fault
            elif quote == '"':
                yield f'{name} includes "{target}": write the path from include/ on'
        elif (define := DEFINE.match(line)) and not define[1].startswith("GEOFACT_"):
            yield f"{name} defines the macro {define[1]}: macros are called GEOFACT_*"


def check(root):
    """All violations under root."""
    include = root / "include" / "geofact"
    names = {}
    for path in sorted(include.rglob("*")):
        if path.suffix in (".hpp", ".cuh"):
            names[path.relative_to(include).as_posix()] = path.read_text(encoding="utf-8")
    faults = [fault for name, text in names.items() for fault in header_faults(name, text)]
    if not names:
        faults.append(f"there are no headers under {include}")
    untested = [name for name in names if layer_of(name) and not (root / "tests" / re.sub(r"\.\w+$", "_test.cpp", name)).exists()]
    if untested:
        print("warning: no test of its name for", ", ".join(untested))
    return faults


def self_test():
    """Plants each kind of violation in a tree of its own and expects exactly its sentence."""
    planted = {
        ("fact/x.hpp", '#pragma once\n#include "geofact/model/y.hpp"\n'): "fact/x.hpp includes model/y.hpp: fact is below model",
        ("fact/x.hpp", '#pragma once\n#include <geofact/code/y.hpp>\n'): "fact/x.hpp includes code/y.hpp: fact is beside code",
        ("foundation/x.hpp", '#pragma once\n  #  include "geofact/probe/y.hpp"\n'): "foundation/x.hpp includes probe/y.hpp: foundation is below probe",
        ("io/x.hpp", '#pragma once\n#include "geofact/training/y.hpp"\n'): "io/x.hpp includes training/y.hpp: io is below training",
        ("fact/x.hpp", '#pragma once\n#include "geofact/geofact.hpp"\n'): "fact/x.hpp includes the umbrella geofact.hpp",
        ("version.hpp", '#pragma once\n#include "geofact/fact/y.hpp"\n'): "version.hpp includes fact/y.hpp: it is below every layer",
        ("misc/x.hpp", '#pragma once\n#include "geofact/fact/y.hpp"\n'): "misc/x.hpp is in no known layer",
        ("fact/x.hpp", '#pragma once\n#include "y.hpp"\n'): 'fact/x.hpp includes "y.hpp": write the path from include/ on',
        ("fact/x.hpp", "#pragma once\n#include <Eigen/Dense>\n"): "fact/x.hpp includes <Eigen/Dense>: only foundation/matrix.hpp includes Eigen",
        ("fact/x.hpp", "#include <vector>\n"): "fact/x.hpp does not begin with #pragma once",
        ("fact/x.hpp", "#pragma once\n# define MAX 3\n"): "fact/x.hpp defines the macro MAX: macros are called GEOFACT_*",
        ("geofact.hpp", '#pragma once\n#include "geofact/probe/y.hpp"\n#include "geofact/version.hpp"\n'): None,
        ("probe/x.hpp", '#pragma once\n#include "geofact/code/y.hpp"\n#define GEOFACT_X\n'): None,
        ("foundation/matrix.hpp", "#pragma once\n#include <Eigen/Dense>\n"): None,
    }
    for (name, text), sentence in planted.items():
        found = list(header_faults(name, text))
        if found != ([sentence] if sentence else []):
            sys.exit(f"planted in {name}:\n{text}expected {sentence!r}, found {found}")
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "include/geofact/fact").mkdir(parents=True)
        (root / "include/geofact/fact/x.hpp").write_text('#pragma once\n#include "geofact/model/y.hpp"\n')
        if check(root) != ["fact/x.hpp includes model/y.hpp: fact is below model"]:
            sys.exit("a planted file was not found")
    print(f"{len(planted)} planted headers judged rightly")


if sys.argv[1:] == ["--self-test"]:
    self_test()
elif len(sys.argv) == 2:
    if faults := check(pathlib.Path(sys.argv[1])):
        sys.exit("\n".join(faults))
else:
    sys.exit(__doc__)
