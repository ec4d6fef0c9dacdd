#!/usr/bin/env python3
"""The PyTorch and JAX sides of the comparison (run.sh).

train_step.py check SYSTEM FOLDER                   compares loss and gradient with geofact's, which lie in FOLDER
train_step.py time SYSTEM FOLDER THREADS STEPS      times full-batch AdamW steps

SYSTEM is a framework and a form, such as torch-factorised. The model is y = W2 relu(W1 (e_s + e_r) + b1) + b2 with
logits U y and the mean cross-entropy; float32; AdamW with learning rate 1e-3, betas 0.9 and 0.99, no decay. Forms:

    plain         as one would write it: embeddings added, two linear maps, the head, the library's cross-entropy
    factorised    W1 acts on E and on Er once and is broadcast over all pairs, as in geofact
    tiled         factorised, and the head in tiles of questions, so that the logits stay in the cache
    compiled-     before one of these, PyTorch only: by torch.compile
"""

import json
import pathlib
import sys
import time

WARM_UP = 3
TILE = 512  # questions


def peak_memory():
    """The most memory that this process has held, in bytes."""
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return 1024 * int(line.split()[1])


def read(folder):
    """The weights under short names, E and Er with a row a token; questions; and what geofact found."""
    from safetensors.numpy import load_file

    def short(tensors, prefix=""):
        layer = prefix + "layer.0."
        return {
            "e": tensors[prefix + "entity"].T.copy(), "r": tensors[prefix + "relation"].T.copy(),
            "w1": tensors[layer + "w1"], "b1": tensors[layer + "b1"].ravel(),
            "w2": tensors[layer + "w2"], "b2": tensors[layer + "b2"].ravel(), "u": tensors[prefix + "unembedding"],
        }

    found = load_file(pathlib.Path(folder) / "gradient.safetensors")
    weights = short(load_file(pathlib.Path(folder) / "model.safetensors"))
    tokens = found["tokens"].astype("int64")
    n, pairs = len(weights["e"]), len(weights["e"]) * len(weights["r"])
    # The factorised forms take the questions as the grid of all pairs, ordered by subject.
    assert (tokens[:, 0] * len(weights["r"]) + tokens[:, 1] - n == range(pairs)).all()
    return weights, tokens - [0, n], found["targets"].astype("int64"), float(found["cross_entropy"].item()), \
        short(found, "gradient.")


class Torch:
    def __init__(self, form, weights, tokens, targets, threads):
        import torch

        self.torch, self.compiled = torch, form.startswith("compiled-")
        self.form = form.removeprefix("compiled-")
        torch.set_num_threads(threads)
        torch.set_num_interop_threads(1)
        self.w = {name: torch.tensor(values, requires_grad=True) for name, values in weights.items()}
        self.s, self.r = (torch.tensor(column) for column in tokens.T.copy())
        self.targets = torch.tensor(targets)
        self.optimizer = torch.optim.AdamW(self.w.values(), 1e-3, (0.9, 0.99), 1e-8, 0, fused=True)
        wrap = torch.compile if self.compiled else lambda function: function
        self.output, self.head = wrap(self.output_of), wrap(self.head_of)
        self.whole = wrap(lambda: self.head_of(self.output_of(), self.targets))

    def output_of(self):
        functional, w = self.torch.nn.functional, self.w
        if self.form == "plain":
            x = functional.embedding(self.s, w["e"]) + functional.embedding(self.r, w["r"])
            h = functional.linear(x, w["w1"], w["b1"])
        else:
            h = functional.linear(w["e"], w["w1"], w["b1"])[:, None] + functional.linear(w["r"], w["w1"])
            h = h.flatten(0, 1)
        return functional.linear(functional.relu(h), w["w2"], w["b2"])

    def head_of(self, y, targets):
        functional = self.torch.nn.functional
        return functional.cross_entropy(functional.linear(y, self.w["u"]), targets, reduction="sum") / len(self.targets)

    def gradient(self):
        """The loss; leaves the gradient in w[..].grad."""
        self.optimizer.zero_grad()
        if self.form != "tiled":
            loss = self.whole()
            loss.backward()
            return loss
        y = self.output()
        part = y.detach().requires_grad_()
        total = 0
        for first in range(0, len(y), TILE):
            loss = self.head(part[first : first + TILE], self.targets[first : first + TILE])
            loss.backward()
            total += loss.detach()
        y.backward(part.grad)
        return total

    def step(self):
        loss = self.gradient()
        self.optimizer.step()
        return loss.item()

    def loss_and_gradient(self):
        return self.gradient().item(), {name: t.grad.numpy() for name, t in self.w.items()}


class Jax:
    def __init__(self, form, weights, tokens, targets, threads):
        import jax

        self.jax, self.form = jax, form
        jnp = jax.numpy
        self.s, self.r = (jnp.asarray(column) for column in tokens.T)
        self.targets = jnp.asarray(targets)
        w = {name: jnp.asarray(values) for name, values in weights.items()}
        zeros = lambda: {name: jnp.zeros_like(values) for name, values in w.items()}
        self.state = (w, zeros(), zeros(), jnp.zeros((), jnp.float32))
        self.value_and_grad = jax.jit(self.tiled if form == "tiled" else jax.value_and_grad(self.loss))
        self.update = jax.jit(self.update, donate_argnums=0)

    def output(self, w):
        if self.form == "plain":
            h = (w["e"][self.s] + w["r"][self.r]) @ w["w1"].T + w["b1"]
        else:
            h = ((w["e"] @ w["w1"].T + w["b1"])[:, None] + w["r"] @ w["w1"].T).reshape(len(self.s), -1)
        return self.jax.nn.relu(h) @ w["w2"].T + w["b2"]

    def head(self, u, y, targets):
        logits = y @ u.T
        own = self.jax.numpy.take_along_axis(logits, targets[:, None], 1)[:, 0]
        return (self.jax.nn.logsumexp(logits, 1) - own).sum() / len(self.s)

    def loss(self, w):
        return self.head(w["u"], self.output(w), self.targets)

    def tiled(self, w):
        """value_and_grad(loss), with the head in tiles of questions."""
        jax = self.jax
        y, backward = jax.vjp(self.output, w)
        head = jax.value_and_grad(self.head, (0, 1))

        def tile(sums, part):
            loss, (du, dy) = head(w["u"], *part)
            return (sums[0] + loss, sums[1] + du), dy

        tiles = (y.reshape(-1, TILE, y.shape[1]), self.targets.reshape(-1, TILE))
        (loss, du), dy = jax.lax.scan(tile, (0.0, jax.numpy.zeros_like(w["u"])), tiles)
        (gradient,) = backward(dy.reshape(y.shape))
        return loss, gradient | {"u": du}

    def update(self, state):
        w, mean, square, count = state
        loss, gradient = self.value_and_grad(w)
        tree, count = self.jax.tree.map, count + 1
        mean = tree(lambda m, g: 0.9 * m + 0.1 * g, mean, gradient)
        square = tree(lambda v, g: 0.99 * v + 0.01 * g * g, square, gradient)
        size, whole = 1e-3 / (1 - 0.9**count), 1 - 0.99**count
        w = tree(lambda x, m, v: x - size * m / (self.jax.numpy.sqrt(v / whole) + 1e-8), w, mean, square)
        return (w, mean, square, count), loss

    def step(self):
        self.state, loss = self.update(self.state)
        self.jax.block_until_ready(self.state)
        return float(loss)

    def loss_and_gradient(self):
        loss, gradient = self.value_and_grad(self.state[0])
        return float(loss), gradient


def main(task, system, folder, threads=1, steps=1):
    framework, form = system.split("-", 1)
    if framework == "torch":
        import torch
    else:
        import jax

        jax.devices()
    base = peak_memory()
    weights, tokens, targets, loss, gradient = read(folder)
    peer = (Torch if framework == "torch" else Jax)(form, weights, tokens, targets, int(threads))
    if task == "check":
        import numpy as np

        own_loss, own = peer.loss_and_gradient()
        assert abs(own_loss - loss) < 1e-4 * loss, f"{system}: loss {own_loss}, geofact's {loss}"
        for name in gradient:
            difference = np.abs(own[name] - gradient[name]).max() / np.abs(gradient[name]).max()
            assert difference < 1e-4, f"{system}: the gradient of {name} differs by {difference} of its greatest entry"
    else:
        del gradient
        seconds = []
        for _ in range(WARM_UP + int(steps)):
            start = time.perf_counter()
            loss = peer.step()
            seconds.append(time.perf_counter() - start)
        print(json.dumps({"seconds": seconds[WARM_UP:], "loss": loss, "base": base, "peak": peak_memory()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
