#!/usr/bin/env python3
"""check_syntax.py BUILD: runs the compiler over the sources of BUILD/compile_commands.json, less the headers by
themselves, without making code, and prints what it says."""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys


def refuses(entry):
    run = subprocess.run(entry["command"] + " -fsyntax-only", shell=True, cwd=entry["directory"], text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print(f"{entry['file']}: {'refused' if run.returncode else 'taken'}\n{run.stdout}", end="", flush=True)
    return run.returncode != 0


entries = [entry for entry in json.loads(pathlib.Path(sys.argv[1], "compile_commands.json").read_text())
           if "_verify_interface_header_sets" not in entry["file"]]
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    refused = sum(pool.map(refuses, entries))
print(f"{len(entries)} sources, {refused} refused")
sys.exit(refused != 0 or not entries)
