"""
restore.py MODEL.onnx CHECKPOINT SIMILARITY INTERCEPT [FROZEN]: reads exported 8-bit weights back, to train on from them.

FROZEN is the number of first layers that were never trained. The default is that of the shipped weights.
"""

import re
import sys

import numpy as np
import onnx
import torch
from bert import LAYERS
from onnx import numpy_helper
from reader import Reader

file, out, similarity, intercept = sys.argv[1:5]
FROZEN_LAYERS = int(sys.argv[5]) if len(sys.argv) > 5 else 2
stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in onnx.load(file).graph.initializer}
reader = Reader()
reader.b.load()
state = reader.state_dict()


def store(name, array):
    assert state[name].shape == array.shape, name
    state[name] = torch.from_numpy(np.array(array, np.float32))

for name, array in stored.items():
    if name.removeprefix("reader.") in state:
        store(name.removeprefix("reader."), array)
# Matrices have no names in the file. They are in the order of the layers, then the head.
numbered = sorted((int(number), name) for name in stored for number in re.findall(r"MatMul_(\d+)_q$", name))
matrices = [(stored[name].astype(np.float32) * stored[f"{name[:-2]}_s"]).T for _, name in numbered]
parts = [f"b.L.{layer}.{part}.weight" for layer in range(LAYERS) for part in ("qkv", "o", "f1", "f2")]
for name, matrix in zip([*parts, "h1.weight"], matrices):
    # The frozen layers are those of the base model, which is more exact.
    is_frozen = name.startswith("b.L.") and int(name.split(".")[2]) < FROZEN_LAYERS
    if not is_frozen:
        store(name, matrix)
for array in stored.values():
    if array.shape in ((384, 1), (192, 1)):
        store("u.weight" if array.shape[0] == 384 else "h2.weight", array.T)
pooled = next(array for name, array in stored.items() if "onnx::Mul_" in name and array.shape == ())
state["ac"] = torch.tensor([float(similarity), float(intercept), float(pooled)])
torch.save({name: value.half() for name, value in state.items()}, out)
