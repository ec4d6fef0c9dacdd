#!/usr/bin/env python3
"""check_syntax.py BUILD [LEFT_OUT...]: has clang++ read every source of BUILD/compile_commands.json, among them one for
each header by itself, without making code, and prints what it says; not those with one of LEFT_OUT in their name. What
most of them would parse again is precompiled: geofact.hpp for programs, foundation/matrix.hpp (Eigen) for the headers
that include it, which hides nothing that they forget."""
import collections
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import subprocess
import sys

include = pathlib.Path(__file__).resolve().parent.parent / "include"
build, left_out = pathlib.Path(sys.argv[1]), sys.argv[2:]
matrix, umbrella = "geofact/foundation/matrix.hpp", "geofact/geofact.hpp"


def run(command):
    return subprocess.run(command, shell=True, cwd=build, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


@functools.cache
def reached(header):
    """The headers of the library that a header includes, itself too."""
    inner = re.findall(r'^ *#include "(geofact/.*)"', (include / header).read_text(), re.MULTILINE)
    return {header}.union(*map(reached, inner))


def prefix(source):
    """The header that may stand before a source."""
    header = re.search(r"_verify_interface_header_sets/(geofact/.*)\.cxx$", source)
    return umbrella if header is None else matrix if matrix in reached(header[1]) else None


def refuses(flags, source):
    check = run(f"{flags} -fsyntax-only {source}")
    print(f"{source}: {'refused' if check.returncode else 'taken'}\n{check.stdout}", end="", flush=True)
    return check.returncode != 0


groups = collections.defaultdict(list)
for entry in json.loads((build / "compile_commands.json").read_text()):
    if any(words in entry["file"] for words in left_out):
        continue
    groups[re.sub(r" -o .*", "", entry["command"]), prefix(entry["file"])].append(entry["file"])
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    checks = []
    for number, ((flags, header), sources) in enumerate(sorted(groups.items(), key=lambda group: len(group[1]))):
        if header and len(sources) > 4:
            made = run(f"{flags} -x c++-header -fpch-instantiate-templates {include / header} -o prefix{number}.pch")
            if made.returncode:
                sys.exit(made.stdout)
            flags += f" -include-pch prefix{number}.pch"
        checks += [pool.submit(refuses, flags, source) for source in sources]
    refused = sum(check.result() for check in checks)
print(f"{len(checks)} sources, {refused} refused")
sys.exit(refused != 0 or not checks)
