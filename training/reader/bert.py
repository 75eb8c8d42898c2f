"""MiniLM as a plain PyTorch model, loaded from the weights of an fp32 ONNX file, and its tokenizer."""

import os
import unicodedata

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn
from torch.nn import functional as F

# Folder of all-MiniLM-L6-v2: `onnx/model.onnx` (fp32) and `vocab.txt`.
BASE = os.environ.get("MINILM", "all-MiniLM-L6-v2")
WIDTH, LAYERS, HEADS, INNER, VOCABULARY = 384, 6, 12, 1536, 30522


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.o = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.f1, self.f2 = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.ln1, self.ln2 = nn.LayerNorm(WIDTH, eps=1e-12), nn.LayerNorm(WIDTH, eps=1e-12)

    def forward(self, x, bias):
        query, key, value = self.qkv(x).split(WIDTH, -1)
        size = WIDTH // HEADS

        def heads(z):
            return z.reshape(z.shape[0], z.shape[1], HEADS, size).transpose(1, 2)

        attention = torch.softmax(heads(query) @ heads(key).transpose(-1, -2) * size**-0.5 + bias, -1)
        mixed = (attention @ heads(value)).transpose(1, 2).reshape(x.shape[0], x.shape[1], WIDTH)
        x = self.ln1(x + self.o(mixed))
        return self.ln2(x + self.f2(F.gelu(self.f1(x))))


class Bert(nn.Module):
    def __init__(self):
        super().__init__()
        self.w, self.p, self.t = (nn.Embedding(n, WIDTH) for n in (VOCABULARY, 512, 2))
        self.ln = nn.LayerNorm(WIDTH, eps=1e-12)
        self.L = nn.ModuleList(Layer() for _ in range(LAYERS))

    def forward(self, ids, segments, mask):
        positions = self.p(torch.arange(ids.shape[1]))[None]
        x = self.ln(self.w(ids) + positions + self.t(segments))
        bias = ((1 - mask) * -1e4)[:, None, None, :].to(x.dtype)
        for layer in self.L:
            x = layer(x, bias)
        return x.float()

    def load(self):
        """Loads the base model."""
        graph = onnx.load(f"{BASE}/onnx/model.onnx").graph
        stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
        # Matrices have no names in the file. They are known by the nodes that multiply with them.
        matrices = {
            node.name.replace("/MatMul", "").strip("/").replace("/", "."): stored[name]
            for node in graph.node
            if node.op_type == "MatMul"
            for name in node.input
            if name in stored
        }

        def vector(name):
            found = next(key for key in stored if key.endswith(name))
            return torch.from_numpy(stored[found].copy())

        def matrix(name):
            found = next(key for key in matrices if key.endswith(name))
            return torch.from_numpy(matrices[found].T.copy())

        with torch.no_grad():
            for table, name in ((self.w, "word"), (self.p, "position"), (self.t, "token_type")):
                table.weight.copy_(vector(f"embeddings.{name}_embeddings.weight"))
            self.ln.weight.copy_(vector("embeddings.LayerNorm.weight"))
            self.ln.bias.copy_(vector("embeddings.LayerNorm.bias"))
            for number, layer in enumerate(self.L):
                at = f"encoder.layer.{number}."
                parts = [f"{at}attention.self.{part}" for part in ("query", "key", "value")]
                layer.qkv.weight.copy_(torch.cat([matrix(part) for part in parts]))
                layer.qkv.bias.copy_(torch.cat([vector(f"{part}.bias") for part in parts]))
                linear = {"attention.output.dense": layer.o, "intermediate.dense": layer.f1}
                linear[f"{number}.output.dense"] = layer.f2
                for name, target in linear.items():
                    place = f"encoder.layer.{name}" if name[0].isdigit() else at + name
                    target.weight.copy_(matrix(place))
                    target.bias.copy_(vector(f"{place}.bias"))
                norms = {f"{at}attention.output.LayerNorm": layer.ln1, f"{at}output.LayerNorm": layer.ln2}
                for place, target in norms.items():
                    target.weight.copy_(vector(f"{place}.weight"))
                    target.bias.copy_(vector(f"{place}.bias"))
        return self


class Tokenizer:
    """WordPiece for lower case, with the place of each token in the text."""

    def __init__(self):
        with open(f"{BASE}/vocab.txt", encoding="utf8") as file:
            self.vocabulary = {line.rstrip("\n"): number for number, line in enumerate(file)}
        self.cache = {}

    def pieces(self, word):
        if word not in self.cache:
            self.cache[word] = self.split(word)
        return self.cache[word]

    def split(self, word):
        found, start = [], 0
        unknown = [(100, 0, len(word))]
        if len(word) > 100:
            return unknown
        while start < len(word):
            prefix = "##" if start else ""
            ends = range(len(word), start, -1)
            end = next((end for end in ends if prefix + word[start:end] in self.vocabulary), None)
            if end is None:
                return unknown
            found.append((self.vocabulary[prefix + word[start:end]], start, end))
            start = end
        return found

    def encode(self, text):
        """Returns token ids, without [CLS] and [SEP], and the start and end of each in the text."""
        ids, offsets, word, places = [], [], "", []

        def flush():
            nonlocal word, places
            for number, start, end in self.pieces(word) if word else ():
                ids.append(number)
                offsets.append((places[start], places[end - 1] + 1))
            word, places = "", []

        for place, character in enumerate(text):
            code, category = ord(character), unicodedata.category(character)
            if character.isspace():
                flush()
            elif category in ("Cc", "Cf", "Mn"):
                continue
            elif is_alone(code, category):
                flush()
                word, places = character, [place]
                flush()
            else:
                for part in unicodedata.normalize("NFD", character.lower()):
                    if unicodedata.category(part) != "Mn":
                        word += part
                        places.append(place)
        flush()
        return ids, offsets


def is_alone(code, category):
    """Whether a character is a token of its own: punctuation, ASCII symbols and Han."""
    is_symbol = code < 128 and category[0] not in "LN"
    return is_symbol or category[0] == "P" or 0x4E00 <= code <= 0x9FFF or 0x3400 <= code <= 0x4DBF
