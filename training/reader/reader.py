"""The reader: MiniLM over `[CLS] question [SEP] sentence [SEP] sentence [SEP] …`, one score per sentence."""

import re

import numpy as np
import torch
from bert import WIDTH, Bert, Tokenizer
from torch import nn
from torch.nn import functional as F

torch.set_num_threads(1)
torch.set_flush_denormal(True)

# Limits in tokens: of a question, of a sentence, and of all sentences of a window with their separators.
QUESTION, SENTENCE, WINDOW = 32, 64, 92
UNKNOWN, START, SEPARATOR = 100, 101, 102
tokenizer = Tokenizer()

BOUNDARY = re.compile(r'(?<=[.!?])["”’)\]]*\s+(?=[A-Z0-9"“(\[])|\n+')
ABBREVIATION = re.compile(r"\b(?:[A-Z]|Dr|Mr|St|No|Jr|vs|c|ca|e\.g|i\.e)\.$")


def sentences(text):
    """Returns the start and end of each sentence."""
    found, start = [], 0
    for boundary in BOUNDARY.finditer(text):
        sentence = text[start : boundary.start()]
        if sentence.strip() and not ABBREVIATION.search(sentence):
            found.append((start, boundary.start()))
            start = boundary.end()
    if text[start:].strip():
        found.append((start, len(text)))
    return found


def bfloat16():
    return torch.autocast("cpu", dtype=torch.bfloat16)


class Reader(nn.Module):
    """
    The score `f` of a sentence is learned beside its similarity to the question, by vectors of the base model: the
    log-odds that it answers are `ac[0] * similarity + ac[1] + f`.
    """

    def __init__(self):
        super().__init__()
        self.b = Bert()
        self.u = nn.Linear(WIDTH, 1)
        self.h1, self.h2 = nn.Linear(3 * WIDTH, 192), nn.Linear(192, 1)
        self.ac = nn.Parameter(torch.tensor([15.0, -8.0, 1.0]))
        for linear in (self.h2, self.u):
            nn.init.zeros_(linear.weight)
            nn.init.zeros_(linear.bias)

    def score(self, ids, segments, mask, sentence_mask, question_mask, separators):
        """Returns `f` of each sentence and `u` of each token, which is high in the words of the answer."""
        hidden = self.b(ids, segments, mask)
        length = sentence_mask.sum(-1).clamp(min=1)
        sentence = (sentence_mask @ hidden) / length[..., None]
        question = (question_mask[:, None] @ hidden) / question_mask.sum(-1).clamp(min=1)[:, None, None]
        end = torch.gather(hidden, 1, separators[..., None].expand(-1, -1, WIDTH))
        tokens = self.u(hidden).squeeze(-1)
        own = tokens[:, None] + (sentence_mask - 1) * 1e4
        highest = own.max(-1, keepdim=True).values
        pooled = torch.log(torch.exp(own - highest).sum(-1)) + highest.squeeze(-1) - torch.log(length)
        joined = torch.cat([sentence, sentence * question * 4, end], -1)
        return self.h2(F.gelu(self.h1(joined))).squeeze(-1) + self.ac[2] * pooled, tokens

    def forward(self, inputs, similarity):
        f, tokens = self.score(*inputs)
        return self.ac[0] * similarity + self.ac[1] + f, tokens


def load_reader(file):
    reader = Reader()
    reader.load_state_dict({name: value.float() for name, value in torch.load(file).items()})
    return reader


def collate(windows):
    """`windows`: (question ids, [sentence ids], [similarity]). Returns the inputs of `score`, and similarities."""
    count, most = len(windows), max(len(window[1]) for window in windows)
    length = max(len(q) + 2 + sum(len(ids) + 1 for ids in texts) for q, texts, _ in windows)
    ids, segments = (torch.zeros(count, length, dtype=torch.long) for _ in range(2))
    mask, question_mask = (torch.zeros(count, length) for _ in range(2))
    sentence_mask, similarity = torch.zeros(count, most, length), torch.zeros(count, most)
    separators = torch.zeros(count, most, dtype=torch.long)
    for row, (question, texts, similarities) in enumerate(windows):
        joined = [START, *question, SEPARATOR]
        head = len(joined)
        question_mask[row, 1 : head - 1] = 1
        for place, text in enumerate(texts):
            sentence_mask[row, place, len(joined) : len(joined) + len(text)] = 1
            joined += [*text, SEPARATOR]
            separators[row, place] = len(joined) - 1
            similarity[row, place] = float(similarities[place])
        ids[row, : len(joined)] = torch.tensor(joined)
        segments[row, head : len(joined)] = 1
        mask[row, : len(joined)] = 1
    return (ids, segments, mask, sentence_mask, question_mask, separators), similarity


def embed(base, texts, tokens_per_batch=3000):
    """Returns the unit vectors of texts (token ids) by the base model."""
    vectors = np.zeros((len(texts), WIDTH), np.float32)
    order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
    while order:
        batch = []
        while order and (not batch or (len(texts[order[0]]) + 2) * (len(batch) + 1) <= tokens_per_batch):
            batch.append(order.pop(0))
        rows = [[START, *texts[index], SEPARATOR] for index in batch]
        ids, mask = (torch.zeros(len(rows), max(map(len, rows))) for _ in range(2))
        for row, joined in enumerate(rows):
            ids[row, : len(joined)] = torch.tensor(joined, dtype=torch.float)
            mask[row, : len(joined)] = 1
        ids = ids.long()
        with torch.no_grad(), bfloat16():
            hidden = base(ids, torch.zeros_like(ids), mask)
        mean = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        vectors[batch] = F.normalize(mean, dim=-1).numpy()
    return vectors
