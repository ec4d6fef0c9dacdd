#!/usr/bin/env python3
"""check_exporter.py EXPORTER PROBE: examples/export_hidden_states.py on tiny models with random weights, a causal one and
an encoder, against the states that transformers itself gives; and probe_hidden_states reads what was written.

Exit code 77 where torch, transformers, tokenizers, safetensors or numpy are missing.
"""

import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy
    import tokenizers
    import torch
    import transformers
    from safetensors import safe_open
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

SUBJECTS = ["Norland", "Great Lake", "Old Port", "Hill", "Island of Sand", "Bay", "Cape", "Delta"]
CLASSES = ["red", "blue"]
PROMPT = "The flag of {} is"


def make_tokenizer(folder):
    """Words and spaces: 'Island of Sand' has three tokens."""
    words = sorted({word for text in SUBJECTS + CLASSES + [PROMPT.replace("{}", "")] for word in text.split()})
    model = tokenizers.models.WordLevel({word: i for i, word in enumerate(["[UNK]"] + words)}, unk_token="[UNK]")
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    whole = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="[UNK]")
    whole.save_pretrained(folder)
    return whole


def make_model(kind, words, folder):
    torch.manual_seed(1)
    if kind == "causal":
        config = transformers.GPT2Config(vocab_size=words, n_positions=32, n_embd=16, n_layer=3, n_head=2,
                                         bos_token_id=0, eos_token_id=0)
        model = transformers.GPT2LMHeadModel(config)
    else:
        config = transformers.BertConfig(vocab_size=words, hidden_size=16, num_hidden_layers=3, num_attention_heads=2,
                                         intermediate_size=32, max_position_embeddings=32)
        model = transformers.BertModel(config)
    model.eval()
    model.save_pretrained(folder)
    return model


def wanted_states(model, tokenizer, layers):
    """By hand: the words of a prompt are its tokens, so the subject's last one has a known place."""
    states = []
    for subject in SUBJECTS:
        words = PROMPT.replace("{}", subject).split()
        place = PROMPT.split().index("{}") + len(subject.split()) - 1
        ids = torch.tensor([tokenizer.convert_tokens_to_ids(words)])
        with torch.no_grad():
            hidden = model(ids, output_hidden_states=True).hidden_states
        states.append(numpy.stack([hidden[layer][0, place].numpy() for layer in layers]))
    return numpy.stack(states, 1)


def check(kind, exporter, probe, folder):
    tokenizer = make_tokenizer(folder)
    model = make_model(kind, len(tokenizer), folder)
    facts, out = folder / "facts.tsv", folder / "states.safetensors"
    facts.write_text("".join(f"{s}\tcolour\t{CLASSES[i % 2]}\n" for i, s in enumerate(SUBJECTS)), encoding="utf-8")
    subprocess.run([sys.executable, exporter, folder, facts, out, "--prompt", PROMPT, "--layers", "0,3", "--revision",
                    "first", "--name", "tiny"], check=True)
    with safe_open(out, "numpy") as file:
        states, answers, about = file.get_tensor("states"), file.get_tensor("answers"), file.metadata()
    assert states.shape == (2, len(SUBJECTS), 16) and states.dtype == numpy.float16, states.shape
    numpy.testing.assert_allclose(states, wanted_states(model, tokenizer, [0, 3]), rtol=1e-3, atol=1e-3)
    rows = (model.get_output_embeddings() or model.get_input_embeddings()).weight.detach().numpy()
    numpy.testing.assert_allclose(answers, rows[tokenizer.convert_tokens_to_ids(CLASSES)], rtol=1e-3, atol=1e-3)
    assert about["subjects"].split("\n") == SUBJECTS and about["answers"].split("\n") == CLASSES, about
    assert (about["model"], about["revision"], about["prompt"], about["layers"]) == ("tiny", "first", PROMPT, "0,3"), about
    subprocess.run([probe, out, facts, "--folds", "2", "--shuffles", "1"], check=True)

    refused = subprocess.run([sys.executable, exporter, folder, facts, out, "--prompt", "no place"], capture_output=True,
                             text=True)
    assert refused.returncode != 0 and "the prompt needs {} once" in refused.stderr, refused.stderr


for kind in ("causal", "encoder"):
    with tempfile.TemporaryDirectory() as folder:
        check(kind, sys.argv[1], sys.argv[2], pathlib.Path(folder))
    print(f"{kind}: as transformers says")
