#!/usr/bin/env python3
"""make_gradients.py [FOLDER]: writes the gradients that the tests of model compare with, as PyTorch and JAX see them.

Needs numpy, safetensors, torch and jax; made with PyTorch 2.15.0 and JAX 0.10.2, which must agree to 1e-10. The default
folder is data/ beside this file. Of each case it writes two files of doubles:

    NAME.safetensors            a model as geofact's read_model() takes it
    NAME.gradient.safetensors   tokens [questions, length] and targets [questions]; the mean cross-entropy of the
                                questions; and its gradient by each table of the model, as gradient.TABLE

Made anew, the numbers are the same; the metadata may stand in another order.
"""

import pathlib
import sys

import jax
import numpy as np
import torch
from safetensors.numpy import save_file

jax.config.update("jax_enable_x64", True)

# name: heads, layers, residual, positions, output narrower than the width, tokens a question, questions
CASES = {
    "paper": (0, 1, 0, 0, 0, 2, 24),
    "paper_many_questions": (0, 1, 0, 0, 0, 2, 600),
    "narrow_output": (0, 2, 0, 0, 1, 3, 24),
    "three_layers": (0, 3, 0, 0, 1, 6, 24),
    "positions": (0, 1, 0, 6, 1, 4, 24),
    "positions_deep": (0, 3, 0, 5, 0, 5, 24),
    "residual": (0, 1, 1, 0, 1, 3, 24),
    "residual_positions": (0, 3, 1, 4, 0, 4, 24),
    "one_head": (1, 1, 0, 0, 0, 2, 24),
    "one_head_deep": (1, 3, 0, 6, 1, 6, 24),
    "one_head_residual": (1, 2, 1, 0, 0, 5, 24),
    "three_heads": (3, 1, 0, 0, 1, 4, 24),
    "three_heads_positions": (3, 2, 0, 5, 0, 5, 24),
    "three_heads_everything": (3, 3, 1, 6, 1, 6, 24),
    "three_heads_many_questions": (3, 1, 1, 3, 1, 3, 600),
}


def sizes_of(heads, layers, residual, positions, narrow):
    return {
        "entities": 5, "relations": 3, "positions": positions, "width": 4, "hidden": 5, "layers": layers,
        "output": 3 if narrow else 4, "attributes": 6, "heads": heads, "key": 2 if heads else 0,
        "value": 3 if heads else 0, "residual": residual,
    }


def layout(n):
    """The tables of such a model (model/parameters.hpp): name and [rows, columns]."""
    yield "entity", (n["width"], n["entities"])
    yield "relation", (n["width"], n["relations"])
    yield "position", (n["width"], n["positions"])
    for h in range(n["heads"]):
        yield f"head.{h}.query", (n["key"], n["width"])
        yield f"head.{h}.key", (n["key"], n["width"])
        yield f"head.{h}.value", (n["value"], n["width"])
        yield f"head.{h}.output", (n["width"], n["value"])
    for l in range(n["layers"]):
        rows = n["output"] if l + 1 == n["layers"] else n["width"]
        yield f"layer.{l}.w1", (n["hidden"], n["width"])
        yield f"layer.{l}.b1", (n["hidden"], 1)
        yield f"layer.{l}.w2", (rows, n["hidden"])
        yield f"layer.{l}.b2", (rows, 1)
    yield "unembedding", (n["attributes"], n["output"])


def cross_entropy(n, w, tokens, targets, np_like, nn):
    """The model of theory/setting.md, one question a row; `np_like` and `nn` are the peer's modules."""
    embedding = np_like.concatenate((w["entity"], w["relation"]), 1).T
    x = embedding[tokens]  # [questions, places, width]
    if n["positions"]:
        x = x + w["position"].T[: x.shape[1]]
    stream = x[:, -1] if n["heads"] else x.sum(1)
    for h in range(n["heads"]):
        query, key, value, output = (w[f"head.{h}.{part}"] for part in ("query", "key", "value", "output"))
        scores = np_like.einsum("qi,qti->qt", x[:, -1] @ query.T, x @ key.T)
        stream = stream + np_like.einsum("qt,qtv->qv", nn.softmax(scores, -1), x @ value.T) @ output.T
    for l in range(n["layers"]):
        w1, b1, w2, b2 = (w[f"layer.{l}.{part}"] for part in ("w1", "b1", "w2", "b2"))
        y = nn.relu(stream @ w1.T + b1[:, 0]) @ w2.T + b2[:, 0]
        stream = y + stream[:, : y.shape[1]] if n["residual"] else y
    log_softmax = nn.log_softmax(stream @ w["unembedding"].T, -1)
    return -log_softmax[np_like.arange(len(targets)), targets].mean()


def by_torch(n, weights, tokens, targets):
    w = {name: torch.tensor(values, requires_grad=True) for name, values in weights.items()}
    loss = cross_entropy(n, w, torch.tensor(tokens), torch.tensor(targets), torch, torch.nn.functional)
    loss.backward()
    return loss.item(), {name: np.zeros(t.shape) if t.grad is None else t.grad.numpy() for name, t in w.items()}


def by_jax(n, weights, tokens, targets):
    function = jax.value_and_grad(lambda w: cross_entropy(n, w, tokens, targets, jax.numpy, jax.nn))
    loss, gradient = function({name: jax.numpy.asarray(values) for name, values in weights.items()})
    return float(loss), {name: np.array(values) for name, values in gradient.items()}


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for seed, (name, (*kind, length, questions)) in enumerate(CASES.items()):
        n = sizes_of(*kind)
        random = np.random.default_rng(seed)
        weights = {table: 0.6 * random.standard_normal(shape) for table, shape in layout(n)}
        tokens = random.integers(n["entities"] + n["relations"], size=(questions, length))
        tokens[0] = tokens[0, 0]  # the same token at every place
        targets = random.integers(n["attributes"], size=questions)

        loss, gradient = by_torch(n, weights, tokens, targets)
        other_loss, other = by_jax(n, weights, tokens, targets)
        assert abs(loss - other_loss) < 1e-10, (name, loss, other_loss)
        for table in weights:
            difference = np.abs(gradient[table] - other[table]).max(initial=0)
            assert difference < 1e-10, (name, table, difference)
            assert gradient[table].any() or gradient[table].size == 0, (name, table)

        metadata = {f"geofact.{size}": str(value) for size, value in n.items()}
        save_file(weights, folder / f"{name}.safetensors", metadata)
        results = {f"gradient.{table}": np.ascontiguousarray(values) for table, values in gradient.items()}
        results["cross_entropy"] = np.array(loss)
        results["tokens"], results["targets"] = tokens.astype(np.uint8), targets.astype(np.uint8)
        save_file(results, folder / f"{name}.gradient.safetensors")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent / "data")
