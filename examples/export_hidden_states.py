#!/usr/bin/env python3
"""Writes the hidden states of a Hugging Face model at the last token of each subject, for probe_hidden_states.

    export_hidden_states.py MODEL FACTS OUT.safetensors --prompt "The country of {}" --layers 0,10,20,30

MODEL is a folder or a name that transformers can load, causal or encoder; FACTS a table of facts as `recall` reads
them (its first column names the subjects). OUT gets

    states   [layers, subjects, width]   layer 0 is the embedding; the token is the last one of the subject's name
    answers  [answers, width]            for each answer the mean of its tokens' rows in the unembedding (the input
                                         embedding, where a model has no other)

as F16, and in its metadata what it takes to make them again: model, revision, prompt, layers, and the names.
Needs torch, transformers, safetensors and numpy; for --gguf also gguf.
"""

import argparse
import csv
import pathlib
import sys

import numpy
import torch
import transformers
from safetensors.numpy import save_file


def read_names(path):
    """Subjects and answers of a table of facts, each in order of appearance; as the library reads them."""
    text = pathlib.Path(path).read_text(encoding="utf-8-sig")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    delimiter = "," if path.endswith(".csv") or "\t" not in lines[0] else "\t"
    rows = [[field.strip() for field in row] for row in csv.reader(lines, delimiter=delimiter)]
    if len(rows[0]) == 3:
        if rows[0][1].lower() == "relation":
            rows = rows[1:]
        subjects, answers = [row[0] for row in rows], [row[2] for row in rows]
    else:
        subjects = [row[0] for row in rows[1:]]
        answers = [field for row in rows[1:] for field in row[1:] if field]
    return list(dict.fromkeys(subjects)), list(dict.fromkeys(answers))


def last_token_of(tokenizer, prompt, subject):
    """The ids of the prompt about a subject, and the place of the last token that overlaps the subject's name."""
    first = prompt.index("{}")
    encoded = tokenizer(prompt.replace("{}", subject), return_offsets_mapping=True)
    last = [i for i, (a, b) in enumerate(encoded["offset_mapping"]) if a < first + len(subject) and b > first]
    if not last:
        sys.exit(f"{subject!r} has no token of its own in the prompt")
    return encoded["input_ids"], last[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("facts")
    parser.add_argument("out")
    parser.add_argument("--revision", help="of the model: a commit; of a folder, what the metadata call it")
    parser.add_argument("--gguf", help="the file of quantised weights in MODEL's folder")
    parser.add_argument("--name", help="what the metadata call the model; default: MODEL")
    parser.add_argument("--prompt", default="{}", help="text with {} where the subject's name goes")
    parser.add_argument("--layers", default="all", help="layers to keep, such as 0,4,8")
    arguments = parser.parse_args()
    if arguments.prompt.count("{}") != 1:
        sys.exit("the prompt needs {} once, where the subject's name goes")

    options = {} if pathlib.Path(arguments.model).is_dir() else {"revision": arguments.revision}
    if arguments.gguf:
        options["gguf_file"] = arguments.gguf
    tokenizer = transformers.AutoTokenizer.from_pretrained(arguments.model, **options)
    architectures = transformers.AutoConfig.from_pretrained(arguments.model, **options).architectures or []
    is_causal = arguments.gguf or any("CausalLM" in name or "LMHead" in name for name in architectures)
    kind = transformers.AutoModelForCausalLM if is_causal else transformers.AutoModel
    model = kind.from_pretrained(arguments.model, dtype=torch.float32, **options)
    model.eval()
    subjects, answers = read_names(arguments.facts)

    layers, states = None, []
    with torch.no_grad():
        for subject in subjects:
            ids, place = last_token_of(tokenizer, arguments.prompt, subject)
            hidden = model(torch.tensor([ids]), output_hidden_states=True).hidden_states
            layers = layers or (range(len(hidden)) if arguments.layers == "all" else [int(l) for l in arguments.layers.split(",")])
            states.append(torch.stack([hidden[l][0, place] for l in layers]))
        rows = model.get_output_embeddings() or model.get_input_embeddings()
        vectors = [rows.weight[tokenizer(" " + a, add_special_tokens=False)["input_ids"]].mean(0) for a in answers]

    tensors = {"states": torch.stack(states, 1), "answers": torch.stack(vectors)}
    halves = {name: tensor.numpy().astype(numpy.float16) for name, tensor in tensors.items()}
    for name, tensor in halves.items():
        if not numpy.isfinite(tensor).all():
            sys.exit(f"{name}: a number is not finite, or too large for F16")
    save_file(halves, arguments.out, metadata={
        "format": "geofact hidden states 1",
        "model": arguments.name or arguments.model,
        "revision": arguments.revision or "",
        "prompt": arguments.prompt,
        "token": "last token of the subject",
        "layers": ",".join(map(str, layers)),
        "subjects": "\n".join(subjects),
        "answers": "\n".join(answers),
        "transformers": transformers.__version__,
    })
    for name, tensor in halves.items():
        print(f"{arguments.out}: {name} {list(tensor.shape)}")


if __name__ == "__main__":
    main()
