"""mix.py GENERAL COPIES: adds passages.jsonl to data.pkl, with GENERAL of the other questions and COPIES of its own."""

import json
import pickle
import random
import sys
import zlib
from pathlib import Path

from reader import tokenizer

GENERAL, COPIES = map(int, sys.argv[1:])
# Percent of the documents, by their names.
HELD_OUT = 10

with open("data.pkl", "rb") as file:
    data = pickle.load(file)
rng = random.Random(5)
numbers = {text: number for number, text in enumerate(data["STXT"])}


def add_sentence(text):
    if text not in numbers:
        numbers[text] = len(data["SENT"])
        data["SENT"].append(tokenizer.encode(text)[0][:128])
        data["STXT"].append(text)
    return numbers[text]


def question_of(question, context, document):
    return {
        "q": question["q"], "c": context, "ds": "own", "w": 1, "doc": document, "amb": [], "spans": [],
        "kind": "ans" if question["answer"] else "un", "gold": question["answer"], "at": ["\0"],
    }  # fmt: skip


documents = {}
for line in Path(__file__).with_name("passages.jsonl").read_text(encoding="utf8").splitlines():
    passage = json.loads(line)
    documents.setdefault((passage["doc"], passage["title"].split(" › ")[0]), []).append(passage)

used, held_out = [], []
for (name, _), passages in documents.items():
    contexts = ["\n".join(passage["sentences"]) for passage in passages]
    data["docs"].append(contexts)
    questions = held_out if zlib.crc32(name.encode()) % 100 < HELD_OUT else used
    for context, passage in zip(contexts, passages):
        sentences = [add_sentence(text) for text in passage["sentences"]]
        data["ctx"][context] = {"o": [], "s": sentences, "doc": len(data["docs"]) - 1}
        questions += [question_of(one, context, len(data["docs"]) - 1) for one in passage["questions"]]

general = data["inst"]
rng.shuffle(general)
first = len(data["A"])
data["A"] += used
data["inst"] = [*general[:GENERAL], *range(first, first + len(used))] + list(range(first, first + len(used))) * (COPIES - 1)
rng.shuffle(data["inst"])
data["H"] = held_out
with open("data.pkl", "wb") as file:
    pickle.dump(data, file)
print("documents", len(documents), "questions", len(used), "held out", len(held_out), "instances", len(data["inst"]))
