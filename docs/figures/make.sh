#!/usr/bin/env bash
# Draws docs/figures/*.svg anew: docs/figures/make.sh [path of the built bounds example]
set -euo pipefail
cd "$(dirname "$0")/../.."
bounds=${1:-build/release/examples/bounds}
[ -x "$bounds" ] || { echo "make.sh: build the examples first, $bounds is missing" >&2; exit 2; }
command -v gnuplot >/dev/null || { echo "make.sh: gnuplot is not installed" >&2; exit 2; }
sweep=$(mktemp)
trap 'rm -f "$sweep"' EXIT
"$bounds" --entities 4096 --relations 4 --hops 1:8 --csv >"$sweep"
gnuplot -e "data='$sweep'" docs/figures/capacity_depth.gp >docs/figures/capacity_depth.svg
gnuplot docs/figures/thresholds.gp >docs/figures/thresholds.svg
"$(dirname "$bounds")/07_intervention" docs/figures/units.svg >/dev/null
echo "wrote docs/figures/capacity_depth.svg, thresholds.svg and units.svg"
