interface Dated {
  readonly createdAt: string;
}

/** An entry of a transcript: a message, an internal note, or a change of the owner. */
export type TranscriptEntry<Message, Note, Event> =
  | { readonly type: 'message'; readonly message: Message }
  | { readonly type: 'note'; readonly note: Note }
  | { readonly type: 'event'; readonly event: Event };

/**
 * Returns messages, notes and events by time, oldest first. The order of the messages does not change. If an event and
 * a note have the same time, the event comes first. If earlier messages are not loaded (`hasEarlier`), notes and events
 * before the first message are left out.
 */
export function mergeTranscript<Message extends Dated, Note extends Dated, Event extends Dated>(
  {
    messages,
    notes,
    events,
  }: {
    readonly messages: readonly Message[];
    readonly notes: readonly Note[];
    readonly events: readonly Event[];
  },
  hasEarlier: boolean,
): TranscriptEntry<Message, Note, Event>[] {
  const start = hasEarlier && messages[0] !== undefined ? timeOf(messages[0]) : -Infinity;
  const additions = [
    ...events.map((event) => ({ at: timeOf(event), entry: { type: 'event', event } as const })),
    ...notes.map((note) => ({ at: timeOf(note), entry: { type: 'note', note } as const })),
  ]
    .filter(({ at }) => at >= start)
    .sort((a, b) => a.at - b.at);
  const entries: TranscriptEntry<Message, Note, Event>[] = [];
  let next = 0;
  for (const message of messages) {
    for (let it = additions[next]; it !== undefined && it.at < timeOf(message); ) {
      entries.push(it.entry);
      next += 1;
      it = additions[next];
    }
    entries.push({ type: 'message', message });
  }
  return [...entries, ...additions.slice(next).map(({ entry }) => entry)];
}

const timeOf = ({ createdAt }: Dated) => Date.parse(createdAt);
