#!/usr/bin/env python3
"""compare.py GPU_STEP [--steps N]: a full-batch training step of the paper's model on this GPU by geofact (the program
gpu_step), by PyTorch as it is and by torch.compile, in milliseconds, and geofact's share of the card's matrix peak.

The same work for all: the sum of two embeddings, W1, ReLU, W2, logits, cross-entropy, gradients, AdamW, on N R questions.
Without PyTorch only geofact is measured.
"""

import argparse
import json
import subprocess
import sys
import time

SIZES = [(512, 4, 18, 72), (4096, 16, 256, 1024)]  # N, R, d, m
# Dense matrix peaks by the makers' data sheets, TFLOP/s: float without and with TF32, bfloat16 with float sums.
PEAKS = {"H200": (67, 494, 989), "H100": (67, 494, 989), "A100": (19.5, 156, 312), "4090": (82.6, 82.6, 165.2)}


def geofact(program, size, steps, *more):
    line = subprocess.run([program, *map(str, size), str(steps), *map(str, more)], capture_output=True, text=True)
    if line.returncode != 0:
        return {"ms": float("nan"), "tflops": float("nan"), "note": line.stderr.strip()}
    return json.loads(line.stdout)


def pytorch(torch, size, steps, precision, mode):
    """Milliseconds a step; mode None: eager, else torch.compile's."""
    n, r, d, m = size
    torch.manual_seed(1)
    torch.backends.cuda.matmul.allow_tf32 = precision == "tf32"
    gpu = torch.device("cuda")
    table = lambda *shape: (0.06 * torch.randn(*shape, device=gpu)).requires_grad_()
    e, er, w1, b1, w2, b2, u = table(n, d), table(r, d), table(d, m), table(m), table(m, d), table(d), table(d, n)
    subjects = torch.arange(n, device=gpu).repeat_interleave(r)
    relations = torch.arange(r, device=gpu).repeat(n)
    targets = torch.randint(n, (n * r,), device=gpu)
    optimizer = torch.optim.AdamW([e, er, w1, b1, w2, b2, u], lr=1e-3, weight_decay=0.0, fused=True)

    def loss():
        with torch.autocast("cuda", torch.bfloat16, enabled=precision == "bf16"):
            # As geofact does: W1 acts once on every token. Indexing first would make PyTorch slower.
            h = (e @ w1)[subjects] + (er @ w1)[relations] + b1
            logits = (torch.relu(h) @ w2 + b2) @ u
            return torch.nn.functional.cross_entropy(logits.float(), targets)

    forward = torch.compile(loss, mode=mode) if mode else loss

    def step():
        optimizer.zero_grad(set_to_none=True)
        value = forward()
        value.backward()
        optimizer.step()
        return value

    for _ in range(8):
        step()
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(steps):
        step().item()  # geofact's step returns its loss to the host as well
    torch.cuda.synchronize()
    return (time.perf_counter() - begin) / steps * 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--steps", type=int, default=30)
    arguments = parser.parse_args()
    name = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True).stdout
    name = (name.strip().splitlines() or ["unknown GPU"])[0]
    peaks = next((p for card, p in PEAKS.items() if card in name), None)
    try:
        import torch
    except ImportError:
        torch = None
        print("PyTorch is missing: geofact alone is measured")
    print(name)
    for size in SIZES:
        print("N %d, R %d, d %d, m %d" % size)
        for i, precision in enumerate(("float", "tf32", "bf16")):
            ours = geofact(arguments.program, size, arguments.steps, precision)
            share = f", {100 * ours['tflops'] / peaks[i]:.0f}% of the peak" if peaks else ""
            print(f"  {precision:6} geofact {ours['ms']:9.3f} ms, {ours['tflops']:.1f} TFLOP/s{share} {ours.get('note', '')}")
            for label, mode in (("eager", None), ("compile", "default"), ("compile, graphs", "reduce-overhead")):
                if torch is None:
                    break
                try:
                    theirs = pytorch(torch, size, arguments.steps, precision, mode)
                    print(f"         PyTorch {label:16} {theirs:9.3f} ms, {theirs / ours['ms']:.1f} times geofact's")
                except Exception as failure:  # out of memory, no compiler
                    print(f"         PyTorch {label:16} failed: {str(failure).splitlines()[0]}")
                torch.cuda.empty_cache()
        for mib in (16, 32, 64, 128, 512):
            ours = geofact(arguments.program, size, arguments.steps, "tf32", mib)
            print(f"  tf32, tiles of {mib} MiB: {ours['ms']:9.3f} ms")
        ours = geofact(arguments.program, size, arguments.steps, "tf32", 64, "plain")
        print(f"  tf32, no graph, stored logits: {ours['ms']:9.3f} ms")


if __name__ == "__main__":
    sys.exit(main())
