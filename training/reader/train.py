"""
train.py SECONDS OUT.pt [--from CHECKPOINT] [--seed N] [--rate R] [--head-rate R] [--skip N] [--all-layers] [--whole]:
trains from data.pkl.

The shipped reader is seven runs, each from the end of the one before: see README.md.
"""

import argparse
import math
import pickle
import random
import time

import numpy as np
import torch
from reader import SENTENCE, UNKNOWN, WINDOW, QUESTION, Bert, Reader, bfloat16, collate, embed, load_reader, tokenizer
from torch import nn
from torch.nn import functional as F

BATCH, FROZEN_LAYERS, WARM_UP, MOST_WINDOWS = 8, 2, 40, 4
# Rarity of a word that the other sets do not contain.
RARE = 9.0
options = argparse.ArgumentParser()
options.add_argument("seconds", type=float)
options.add_argument("out")
options.add_argument("--from", dest="start")
options.add_argument("--seed", type=int, default=3)
options.add_argument("--rate", type=float, default=1e-4)
options.add_argument("--head-rate", type=float, default=1e-3)
options.add_argument("--skip", type=int, default=0)
# Trains the first layers, too.
options.add_argument("--all-layers", action="store_true")
# Reads our own passages as the service does: all windows of a passage beside each other.
options.add_argument("--whole", action="store_true")
options = options.parse_args()

with open("data.pkl", "rb") as file:
    data = pickle.load(file)
examples, instances, sentence_ids = data["A"], data["inst"], data["SENT"]
sentence_texts, contexts, documents, idf = data["STXT"], data["ctx"], data["docs"], data["idf"]
rng = random.Random(options.seed)
torch.manual_seed(options.seed)
base, vectors = Bert().load().eval(), {}


def read_ids(sentence):
    return sentence_ids[sentence][:SENTENCE] or [UNKNOWN]


def length(sentence):
    return min(len(sentence_ids[sentence]), SENTENCE) + 1


def overlap(question, sentences):
    """Common words of a question and each sentence, by rarity: finds the passages that mislead."""
    asked = set(question)
    return np.array([
        sum(idf.get(token, RARE) for token in asked & set(sentence_ids[s])) / math.sqrt(8 + len(sentence_ids[s]))
        for s in sentences
    ])  # fmt: skip


def grow_window(sentences, center):
    """Returns a random window of positions around one of them, as long as `WINDOW` allows."""
    low = high = center
    size = length(sentences[center])
    while True:
        places = [place for place in (low - 1, high + 1) if 0 <= place < len(sentences)]
        places = [place for place in places if size + length(sentences[place]) <= WINDOW]
        if not places:
            return list(range(low, high + 1))
        place = rng.choice(places)
        size += length(sentences[place])
        low, high = min(low, place), max(high, place)


def related_windows(example):
    """Packs the sentences of an example without a passage, in random order."""
    right = set(example["pos"][:2])
    wrong = list(example["neg"])
    rng.shuffle(wrong)
    order = [*example["pos"][:2], *wrong[:4]]
    rng.shuffle(order)
    packed, size = [], math.inf
    for sentence in order:
        size += length(sentence)
        if size > WINDOW:
            packed.append([])
            size = length(sentence)
        packed[-1].append(sentence)
    return [(window, [int(s in right) for s in window], None) for window in packed[:3]]


class Windows:
    """The windows of one question: `(sentences, labels, answer)`. Labels: 1 answers, 0 does not, -1 unknown."""

    def __init__(self, example, question):
        self.example, self.question = example, question
        self.context = contexts[example["c"]]
        self.sentences, self.gold = self.context["s"], set(example["gold"])
        self.overlap = overlap(question, self.sentences)
        document = self.context["doc"]
        others = [] if document is None else [c for c in documents[document] if c != example["c"]]
        self.others = [contexts[c]["s"] for c in others if contexts[c]["s"]]

    def around(self, center):
        window, answer = grow_window(self.sentences, center), None
        for number, start, end in self.example["spans"][:1]:
            if number in window:
                answer = (window.index(number), start, end)
        unknown = self.example["amb"]
        labels = [1 if place in self.gold else -1 if place in unknown else 0 for place in window]
        return ([self.sentences[place] for place in window], labels, answer), set(window)

    def of_neighbor(self):
        """Returns the window of another paragraph of the document with the most common words."""
        scored = []
        for sentences in self.others:
            scores = overlap(self.question, sentences)
            center = int(np.argmax(scores + np.array([rng.random() * 1.5 for _ in scores])))
            scored.append((scores[center], center, sentences))
        if not scored:
            return None
        _, center, sentences = max(scored, key=lambda one: one[0])
        window = [sentences[place] for place in grow_window(sentences, center)]
        answers = self.example["at"]
        labels = [-1 if any(answer in sentence_texts[s].lower() for answer in answers) else 0 for s in window]
        return window, labels, None

    def best_rest(self, used):
        """Returns the window around the sentence with the most common words outside the first window."""
        avoid = used | self.gold | set(self.example["amb"])
        rest = [(score, place) for place, score in enumerate(self.overlap) if place not in avoid]
        return self.around(max(rest)[1])[0] if rest else None

    def answerable(self):
        # Sometimes the paragraph with the answer is left out.
        if self.others and rng.random() < 0.12:
            return [self.of_neighbor()]
        first, used = self.around(rng.choice(sorted(self.gold)))
        near, far = self.best_rest(used), self.of_neighbor()
        second = near if near and (far is None or rng.random() < 0.5) else far
        return [first, second] if second else [first]

    def unanswerable(self):
        first, used = self.around(int(np.argmax(self.overlap)))
        if rng.random() >= 0.6:
            return [first]
        second = self.best_rest(used) if rng.random() < 0.7 else self.of_neighbor()
        return [first, second] if second else [first]


def all_windows(sentences):
    """Returns the windows of a passage as the service reads them: positions of neighboring sentences, in order."""
    packed, size = [], math.inf
    for place, sentence in enumerate(sentences):
        size += length(sentence)
        if size > WINDOW:
            packed.append([])
            size = length(sentence)
        packed[-1].append(place)
    return packed


def whole_passage(example, question):
    """Returns the windows of a passage, at most `MOST_WINDOWS` with those that mislead most, and mostly one of a neighbor."""
    own = Windows(example, question)
    found = []
    for places in all_windows(own.sentences):
        labels = [1 if place in own.gold else -1 if place in example["amb"] else 0 for place in places]
        found.append(([own.sentences[place] for place in places], labels, None))
    if len(found) > MOST_WINDOWS:
        right = [window for window in found if 1 in window[1]][:2]
        rest = [window for window in found if 1 not in window[1]]
        rest.sort(key=lambda window: -max(overlap(question, window[0])))
        found = right + rest[: MOST_WINDOWS - len(right)]
    far = own.of_neighbor()
    return [*found, far] if far and rng.random() < 0.7 else found


def windows_of(example):
    question = tokenizer.encode(example["q"])[0][:64]
    if not question:
        return question, []
    if example["kind"] == "rel":
        return question, related_windows(example)
    if options.whole and example["ds"] == "own":
        return question, whole_passage(example, question)
    own = Windows(example, question)
    return question, own.answerable() if example["kind"] == "ans" else own.unanswerable()


def similarities(batch):
    """Returns the cosine of question and sentence by the base model, per window."""
    missing = {s for _, windows in batch for window in windows for s in window[0] if s not in vectors}
    missing = sorted(missing)
    found = embed(base, [read_ids(s) for s in missing] + [question for question, _ in batch])
    vectors.update(zip(missing, found))
    asked = found[len(missing) :]
    return [
        np.array([vectors[s] @ vector for s in window[0]], np.float32)
        for (_, windows), vector in zip(batch, asked)
        for window in windows
    ]


def answer_loss(tokens, sentence_mask, sentence, place, start, end):
    """Cross-entropy of the words of the answer among the words of the window."""
    offsets = tokenizer.encode(sentence_texts[sentence])[1][:SENTENCE]
    inside = [index for index, (a, b) in enumerate(offsets) if a < end and b > start]
    if not inside:
        return None
    first = int((sentence_mask[place] > 0).nonzero()[0])
    scores = tokens.masked_fill(sentence_mask.sum(0) == 0, -1e4)
    return torch.logsumexp(scores, 0) - torch.logsumexp(tokens[[first + index for index in inside]], 0)


def loss_of(reader, batch):
    owners = [number for number, (_, windows) in enumerate(batch) for _ in windows]
    flat = [window for _, windows in batch for window in windows]
    near = similarities(batch)
    inputs, similarity = collate([
        (batch[owner][0][:QUESTION], [read_ids(s) for s in window[0]], own)
        for owner, window, own in zip(owners, flat, near)
    ])  # fmt: skip
    with bfloat16():
        logits, tokens = reader(inputs, similarity)
    selection, presence, words = [], [], []
    for number in range(len(batch)):
        rows = [row for row, owner in enumerate(owners) if owner == number]
        scores = torch.cat([logits[row, : len(flat[row][1])] for row in rows])
        labels = torch.tensor([label for row in rows for label in flat[row][1]])
        known, right = scores[labels >= 0], scores[labels == 1]
        total = torch.logsumexp(known, 0) if len(known) else torch.tensor(-1e4)
        presence.append(F.binary_cross_entropy_with_logits(total, torch.tensor(float(len(right) > 0))))
        if len(right):
            selection.append(total - torch.logsumexp(right, 0))
    for row, (window, _, answer) in enumerate(flat):
        if answer is not None:
            place, start, end = answer
            words.append(answer_loss(tokens[row], inputs[3][row], window[place], place, start, end))
    words = [loss for loss in words if loss is not None]
    loss = torch.stack(presence).mean()
    if selection:
        loss = loss + torch.stack(selection).mean()
    return loss + 0.3 * torch.stack(words).mean() if words else loss


def batches():
    position = options.skip
    while True:
        if position + BATCH * 32 > len(instances):
            position = 0
            rng.shuffle(instances)
        made = [windows_of(examples[number]) for number in instances[position : position + BATCH * 32]]
        position += BATCH * 32
        made = [one for one in made if one[1] and all(window is not None for window in one[1])]
        made.sort(key=lambda one: (len(one[1]), max(sum(length(s) for s in w[0]) for w in one[1])))
        groups = [made[start : start + BATCH] for start in range(0, len(made), BATCH)]
        rng.shuffle(groups)
        yield from groups


def create_reader():
    if options.start:
        reader = load_reader(options.start)
    else:
        reader = Reader()
        reader.b.load()
    layers = [] if options.all_layers else [reader.b.ln, *reader.b.L[:FROZEN_LAYERS]]
    frozen = [reader.b.w, reader.b.p, reader.b.t, *layers]
    for parameter in (parameter for module in frozen for parameter in module.parameters()):
        parameter.requires_grad = False
    return reader.train()


def create_optimizer(reader):
    heads = [*reader.u.parameters(), *reader.h1.parameters(), *reader.h2.parameters()]
    other = {id(parameter) for parameter in [*heads, reader.ac]}
    body = [p for p in reader.parameters() if p.requires_grad and id(p) not in other]
    groups = [(body, options.rate), (heads, options.head_rate)]
    groups = [{"params": own, "lr": rate, "base": rate} for own, rate in groups]
    groups.append({"params": [reader.ac], "lr": 2e-3, "base": 2e-3, "weight_decay": 0})
    return torch.optim.AdamW(groups, weight_decay=0.01), [*body, *heads]


reader = create_reader()
optimizer, clipped = create_optimizer(reader)
started, seen, recent = time.time(), 0, []
for step, batch in enumerate(batches()):
    share = (time.time() - started) / options.seconds
    if share > 1:
        break
    for group in optimizer.param_groups:
        group["lr"] = group["base"] * min(1, step / WARM_UP) * max(0.02, 1 - share)
    loss = loss_of(reader, batch)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(clipped, 1.0)
    optimizer.step()
    seen += sum(len(windows) for _, windows in batch)
    recent.append(loss.item())
    if step % 20 == 19:
        print(f"{time.time() - started:.0f} s, {seen} windows, loss {np.mean(recent[-20:]):.3f}", flush=True)
torch.save({name: value.half() for name, value in reader.state_dict().items()}, options.out)
