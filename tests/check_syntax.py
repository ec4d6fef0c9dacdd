#!/usr/bin/env python3
"""check_syntax.py BUILD: runs clang++ over the sources of BUILD/compile_commands.json, less the headers by themselves,
without making code, and prints what it says. Sources of equal flags share a precompiled geofact.hpp."""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys


def run(command):
    return subprocess.run(command, shell=True, cwd=build, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def refuses(flags, source):
    check = run(f"{flags} -fsyntax-only {source}")
    print(f"{source}: {'refused' if check.returncode else 'taken'}\n{check.stdout}", end="", flush=True)
    return check.returncode != 0


build = pathlib.Path(sys.argv[1])
groups = collections.defaultdict(list)
for entry in json.loads((build / "compile_commands.json").read_text()):
    if "_verify_interface_header_sets" not in entry["file"]:
        groups[re.sub(r" -o .*", "", entry["command"])].append(entry["file"])
header = pathlib.Path(__file__).resolve().parent.parent / "include/geofact/geofact.hpp"
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    checks = []
    for number, (flags, sources) in enumerate(sorted(groups.items(), key=lambda group: len(group[1]))):
        if len(sources) > 4:
            made = run(f"{flags} -x c++-header -fpch-instantiate-templates {header} -o geofact{number}.pch")
            if made.returncode:
                sys.exit(made.stdout)
            flags += f" -include-pch geofact{number}.pch"
        checks += [pool.submit(refuses, flags, source) for source in sources]
    refused = sum(check.result() for check in checks)
print(f"{len(checks)} sources, {refused} refused")
sys.exit(refused != 0 or not checks)
