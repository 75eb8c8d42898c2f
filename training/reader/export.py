"""export.py CHECKPOINT OUT.onnx: writes the reader with 8-bit weights. Its output is `f` of each sentence."""

import sys

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from reader import collate, load_reader
from torch import nn

INPUTS = {
    "input_ids": {0: "b", 1: "t"},
    "token_type_ids": {0: "b", 1: "t"},
    "attention_mask": {0: "b", 1: "t"},
    "sent_mask": {0: "b", 1: "s", 2: "t"},
    "question_mask": {0: "b", 1: "t"},
    "sep_index": {0: "b", 1: "s"},
}


class Scores(nn.Module):
    def __init__(self, reader):
        super().__init__()
        self.reader = reader

    def forward(self, *inputs):
        return self.reader.score(*inputs)[0]


def export_float(reader, file):
    example, _ = collate([([2054, 2003], [[1996, 3007], [3007, 2003, 2182]], [0, 0]), ([2040], [[1996]], [0])])
    names = {"input_names": list(INPUTS), "output_names": ["f"], "dynamic_axes": {**INPUTS, "f": {0: "b", 1: "s"}}}
    torch.onnx.export(Scores(reader), example, file, opset_version=13, do_constant_folding=True, **names)


def quantize(model):
    """Large matrices become 7 bit per column, multiplied with dynamic 8-bit activations; embeddings 8 bit per row."""
    stored = {tensor.name: tensor for tensor in model.graph.initializer}
    nodes, added, replaced, activations = [], [], set(), set()

    def store(name, array):
        added.append(numpy_helper.from_array(np.asarray(array), name))

    for node in model.graph.node:
        out = node.output[0] if node.output else ""
        if node.op_type == "MatMul" and node.input[1] in stored and np.prod(stored[node.input[1]].dims) > 40_000:
            source, name = node.input[0], node.input[1]
            weights = numpy_helper.to_array(stored[name])
            # 7 bits, because sums of 8-bit products saturate on processors without VNNI.
            scale = np.abs(weights).max(0) / 63
            scale[scale == 0] = 1
            store(f"{name}_q", np.clip(np.round(weights / scale), -64, 63).astype(np.int8))
            store(f"{name}_s", scale.astype(np.float32))
            store(f"{name}_z", np.array(0, np.int8))
            replaced.add(name)
            if source not in activations:
                parts = [f"{source}_q", f"{source}_sc", f"{source}_zp"]
                nodes.append(helper.make_node("DynamicQuantizeLinear", [source], parts))
                activations.add(source)
            product = [f"{source}_q", f"{name}_q", f"{source}_zp", f"{name}_z"]
            nodes += [
                helper.make_node("MatMulInteger", product, [f"{out}_i"]),
                helper.make_node("Cast", [f"{out}_i"], [f"{out}_f"], to=TensorProto.FLOAT),
                helper.make_node("Mul", [f"{source}_sc", f"{name}_s"], [f"{out}_s"]),
                helper.make_node("Mul", [f"{out}_f", f"{out}_s"], [out]),
            ]
        elif node.op_type == "Gather" and node.input[0] in stored and stored[node.input[0]].dims[0] > 20_000:
            name, index = node.input
            table = numpy_helper.to_array(stored[name])
            scale = np.abs(table).max(1, keepdims=True) / 127
            scale[scale == 0] = 1
            store(f"{name}_q", np.round(table / scale).astype(np.int8))
            store(f"{name}_s", scale.astype(np.float32))
            replaced.add(name)
            nodes += [
                helper.make_node("Gather", [f"{name}_q", index], [f"{out}_i"], axis=0),
                helper.make_node("Cast", [f"{out}_i"], [f"{out}_f"], to=TensorProto.FLOAT),
                helper.make_node("Gather", [f"{name}_s", index], [f"{out}_s"], axis=0),
                helper.make_node("Mul", [f"{out}_f", f"{out}_s"], [out]),
            ]
        else:
            nodes.append(node)
    kept = [tensor for tensor in model.graph.initializer if tensor.name not in replaced]
    inputs, outputs = list(model.graph.input), list(model.graph.output)
    graph = helper.make_graph(nodes, "reader", inputs, outputs, kept + added)
    quantized = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7)
    onnx.checker.check_model(quantized)
    return quantized


if __name__ == "__main__":
    checkpoint, out = sys.argv[1:]
    reader = load_reader(checkpoint).eval()
    export_float(reader, f"{out}.float")
    onnx.save(quantize(onnx.load(f"{out}.float")), out)
    print("similarity weight and intercept:", reader.ac.tolist()[:2])
