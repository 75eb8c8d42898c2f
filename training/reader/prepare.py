"""
prepare.py DATA_FOLDER [--more]: reads the training sets (see DATA.md) and writes data.pkl for train.py.

`--more` takes the larger shares of the later runs.
"""

import collections
import gzip
import json
import math
import pickle
import random
import sys

from reader import sentences, tokenizer

FOLDER = sys.argv[1]
MORE = "--more" in sys.argv
SQUAD = ["squad2-train-10art", "squad1-train-slices", "squad1-train-sample"]
# Share of the answerable and of the unanswerable questions that are used.
FEWER_OTHERS = {
    "policyqa": (0.25, 0.2),
    "selqa": (0.5, 0),
    "nq-qed": (0.6, 0),
    "nq-open-oracle": (0.5, 0),
    "omosqa-en": (1, 1),
    "timeqa-human": (0.3, 1),
    "condaqa": (0.12, 0.5),
    "tatqa": (0.25, 0),
}
MORE_OTHERS = {
    "policyqa": (0.5, 0.4),
    "selqa": (1, 0),
    "nq-qed": (1, 0),
    "nq-open-oracle": (1, 0),
    "omosqa-en": (1, 1),
    "timeqa-human": (0.6, 1),
    "condaqa": (0.3, 0.7),
    "tatqa": (0.8, 0),
}
OTHERS = MORE_OTHERS if MORE else FEWER_OTHERS
SQUAD_WEIGHT = 1.0 if MORE else 0.62
RELATED = {"squad-train-sentences": 0.5, "medquad": 0.25} if MORE else {"squad-train-sentences": 0.25, "medquad": 0.06}
# Neighboring paragraphs are treated as one document of this many. A share of them is held out.
BLOCK, HELD_OUT = 4, 0.05

rng = random.Random(7)
texts, tokens, numbers = [], [], {}
contexts, documents, questions = {}, [], []


def read(name):
    with gzip.open(f"{FOLDER}/{name}.jsonl.gz", "rt") as file:
        return [json.loads(line) for line in file]


def add_sentence(text):
    if text not in numbers:
        numbers[text] = len(tokens)
        tokens.append(tokenizer.encode(text)[0][:128])
        texts.append(text)
    return numbers[text]


def add_context(text):
    if text not in contexts:
        spans = [(a, b) for a, b in sentences(text) if tokenizer.encode(text[a:b])[0]]
        contexts[text] = {"o": spans, "s": [add_sentence(text[a:b]) for a, b in spans], "doc": None}
    return contexts[text]


def find_answers(record, spans):
    """Returns the sentences that hold an answer, its place in them, and sentences that only contain its text."""
    gold, places, ambiguous = [], [], []
    for number, (start, end) in enumerate(spans):
        for answer in record["answers"][:3]:
            first, last = answer["start"], answer["start"] + len(answer["text"])
            if first < end and last > start:
                gold.append(number)
                places.append((number, max(first, start) - start, min(last, end) - start))
                break
        else:
            sentence = record["context"][start:end].lower()
            if any(len(answer["text"]) > 1 and answer["text"].lower() in sentence for answer in record["answers"]):
                ambiguous.append(number)
    return gold, places, ambiguous


def add_question(record, is_answerable, weight):
    context = add_context(record["context"])
    gold, places, ambiguous = [], [], []
    if not context["s"]:
        return
    is_span = record.get("kind") == "span"
    if is_answerable:
        gold, places, ambiguous = find_answers(record, context["o"])
        if not gold:
            return
        if is_span and len(gold) > 1:
            gold = gold[:1] if len(record["answers"][0]["text"]) < 60 else gold
            places = [place for place in places if place[0] in gold]
    questions.append({
        "q": record["question"], "c": record["context"], "ds": record["dataset"], "w": weight, "doc": context["doc"],
        "kind": "ans" if is_answerable else "un", "gold": gold, "amb": ambiguous,
        "spans": places if is_span else [], "at": [answer["text"].lower() for answer in record["answers"]],
    })  # fmt: skip


def add_squad():
    records = {name: read(name) for name in [*SQUAD, "squad2-train-unanswerable"]}
    groups, seen, held_out = collections.OrderedDict(), set(), set()
    for name, own in records.items():
        for record in own:
            group = record.get("group") or ("u" if name == "squad2-train-unanswerable" else name)
            groups.setdefault(group, collections.OrderedDict())[record["context"]] = 1
    for group in groups.values():
        fresh = [context for context in group if context not in seen]
        seen |= set(fresh)
        for start in range(0, len(fresh), BLOCK):
            block = fresh[start : start + BLOCK]
            documents.append(block)
            if len(block) == BLOCK and rng.random() < HELD_OUT:
                held_out.add(len(documents) - 1)
            for context in block:
                add_context(context)["doc"] = len(documents) - 1
    for name in SQUAD:
        for record in records[name]:
            made = record.get("made")
            if not record["is_impossible"]:
                add_question(record, True, SQUAD_WEIGHT)
            elif not made or made.startswith("perturb"):
                add_question(record, False, 0.4 if made else 2.0)
    for record in records["squad2-train-unanswerable"]:
        add_question(record, False, 2.0)
    return held_out


def add_others():
    for name, (answerable, unanswerable) in OTHERS.items():
        for record in read(name):
            made = record.get("made") or ""
            is_impossible = record["is_impossible"]
            if is_impossible and made and not made.startswith("perturb") and name != "policyqa":
                continue
            if rng.random() < (unanswerable if is_impossible else answerable):
                add_question(record, not is_impossible, 1.0)


def relevance():
    """Questions with answer sentences and other sentences, without a passage."""
    found = []
    for record in read("relevance"):
        name, positive, negative = record["dataset"], record["positive"], record["negatives"][:3]
        if name not in RELATED or rng.random() >= RELATED[name]:
            continue
        is_page = name == "medquad"
        right = [positive[a:b] for a, b in sentences(positive)][:3] if is_page else [positive]
        wrong = [text[a:b] for text in negative for a, b in sentences(text)[:2]] if is_page else negative
        right, wrong = ([text for text in own if tokenizer.encode(text)[0]] for own in (right, wrong))
        if right and wrong:
            pair = {"pos": [add_sentence(text) for text in right], "neg": [add_sentence(text) for text in wrong]}
            found.append({"q": record["question"], "ds": name, "kind": "rel", "w": 1.0, **pair})
    return found


held_out = add_squad()
add_others()
related = relevance()
used = [question for question in questions if question["doc"] not in held_out] + related
instances = []
for number, question in enumerate(used):
    weight = question["w"]
    while weight > 0:
        if rng.random() < weight:
            instances.append(number)
        weight -= 1
rng.shuffle(instances)
counts = collections.Counter(token for own in tokens for token in set(own))
idf = {token: math.log(1 + len(tokens) / (1 + count)) for token, count in counts.items()}
with open("data.pkl", "wb") as file:
    pickle.dump({
        "A": used, "inst": instances, "SENT": tokens, "STXT": texts, "ctx": contexts, "docs": documents, "idf": idf,
        "H": [question for question in questions if question["doc"] in held_out],
    }, file)  # fmt: skip
print("questions", len(used), "instances", len(instances), "held out", len(questions) - len(used) + len(related))
