interface Dated {
  readonly createdAt: string;
}

/** Part of a transcript: a message, or an internal note. */
export type TranscriptEntry<Message, Note> =
  | { readonly type: 'message'; readonly message: Message }
  | { readonly type: 'note'; readonly note: Note };

/**
 * Returns messages and notes by time, oldest first. Messages keep their order. Notes before the first message are left
 * out if earlier messages are not loaded (`hasEarlier`).
 */
export function mergeNotes<Message extends Dated, Note extends Dated>(
  messages: readonly Message[],
  notes: readonly Note[],
  hasEarlier: boolean,
): TranscriptEntry<Message, Note>[] {
  const entries: TranscriptEntry<Message, Note>[] = [];
  const start = messages[0]?.createdAt;
  const isShown = ({ createdAt }: Note) =>
    !hasEarlier || start === undefined || Date.parse(createdAt) >= Date.parse(start);
  const waiting = notes.filter(isShown);
  for (const message of messages) {
    while (waiting[0] !== undefined && isBefore(waiting[0], message)) {
      entries.push({ type: 'note', note: waiting[0] });
      waiting.shift();
    }
    entries.push({ type: 'message', message });
  }
  return [...entries, ...waiting.map((note) => ({ type: 'note', note }) as const)];
}

function isBefore(note: Dated, message: Dated): boolean {
  return Date.parse(note.createdAt) < Date.parse(message.createdAt);
}
