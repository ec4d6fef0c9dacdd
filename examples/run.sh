#!/usr/bin/env bash
# Installs what is missing, builds the examples and runs them on the facts in examples/data.
set -euo pipefail
cd "$(dirname "$0")/.."
source cmake/install_packages.sh

install_packages g++ cmake ninja-build python3 libeigen3-dev libcli11-dev nlohmann-json3-dev doctest-dev
log=build/logs/examples.log
mkdir -p build/logs
echo "building the examples (log: $log)"
if ! { cmake --preset release && cmake --build --preset release --target examples; } </dev/null >"$log" 2>&1; then
  tail -n 60 "$log"
  exit 1
fi

show() { # PROGRAM ARGUMENT...
  printf '\n$'
  printf ' %q' "$@"
  printf '\n'
  "$@"
}
recall=build/release/examples/recall

# The main job.
facts=examples/data
show $recall $facts/countries.tsv --hops 1 --ask "capital of France" --ask "language of Brazil" --ask "capital of Nauru"
show $recall $facts/countries.tsv --hops 1 --attributes disjoint
show $recall $facts/countries.tsv --construction chain-of-thought \
  --ask "capital of largest neighbour of largest neighbour of Portugal"
show $recall $facts/royals.tsv --ask "mother of wife of Nicholas II of Russia" --ask "mother of wife of father of Charles III"
show $recall $facts/royals.tsv --ask "mother of wife of Nicholas II of Russia" --construction lookup
show $recall $facts/royals.tsv --construction chain-of-thought --scalar float \
  --ask "mother of wife of Nicholas II of Russia" --ask "mother of wife of father of Charles III" \
  --ask "mother of mother of Edward IV"

printf '\nThe same facts, learned by gradient descent:\n'
show build/release/examples/train $facts/countries.tsv --width 40

printf '\nWhat any model must store, and what the constructions do:\n'
show build/release/examples/bounds --entities 4096 --relations 4 --hops 3 --bits 1

printf '\nOne claim each: build/release/examples/01_single_hop to 08_freeze_and_swap.\n'
show build/release/examples/01_single_hop
show build/release/examples/02_multi_hop
show build/release/examples/03_chain_of_thought
show build/release/examples/04_train
show build/release/examples/05_threshold
show build/release/examples/06_superposition
show build/release/examples/07_intervention
show build/release/examples/08_freeze_and_swap

printf '\nWhat a real language model knows about countries, layer by layer:\n'
show build/release/examples/probe_hidden_states $facts/smollm2_countries.safetensors $facts/countries.tsv
