#!/usr/bin/env bash
# Checks that every source file is as clang-format 14 would write it; exits with 77 (skipped) where that is missing.
# tests/check_format.sh --fix rewrites the files instead.
set -euo pipefail
cd "$(dirname "$0")/.."

for format in clang-format-14 clang-format; do
  if "$format" --version 2>/dev/null | grep -q 'version 14\.'; then break; fi
  format=
done
if [ -z "$format" ]; then
  echo "skipped: clang-format 14 is not installed"
  exit 77
fi
mode=(--dry-run -Werror)
if [ "${1:-}" = --fix ]; then mode=(-i); fi
find include tests examples benchmarks \( -name '*.[ch]pp' -o -name '*.cu' -o -name '*.cuh' \) -print0 | xargs -0 "$format" "${mode[@]}"
