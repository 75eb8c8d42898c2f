"""Adds a document, asks a question about it and prints the answer while it is written.

    pip install ./clients/python
    GROUNDED_CHAT_KEY=sk_… python examples/python/ask.py "How long are lost items kept?"
"""

import sys

from grounded_chat import ApiError, Client

TEXT = "Lost items are kept for 90 days at the reception. Food is thrown away after a day."


def main(question: str) -> None:
    with Client() as client:
        document = client.documents.create(name="Lost property", content=TEXT, external_id="lost")
        client.documents.wait_until_processed(document["id"])
        with client.chat.stream(question) as stream:
            for event in stream:
                if event["type"] == "delta":
                    print(event["text"], end="", flush=True)
                elif event["type"] == "done":
                    names = [citation["documentName"] for citation in event["citations"]]
                    print(f"\n— {', '.join(names) or 'no source'}, confidence {event['confidence']:.2f}")


if __name__ == "__main__":
    try:
        main(" ".join(sys.argv[1:]) or "How long are lost items kept?")
    except ApiError as error:
        sys.exit(f"{error} (request {error.request_id})")
