import type { components } from '@grounded-chat/client';

type Schemas = components['schemas'];

export type Citation = Schemas['Citation'];

/** A message of the chat. */
export interface Message {
  /** Key for React. The id in the service is `messageId`. */
  readonly id: string;
  /** Null for messages of the end user, and until the service has stored the message. */
  readonly messageId: string | null;
  readonly role: 'USER' | 'ASSISTANT' | 'AGENT' | 'SYSTEM';
  /** The name that an agent has chosen. Null without one, and for messages of other roles. */
  readonly authorName: string | null;
  readonly content: string;
  /** The chunks to which the markers `[1]`, `[2]`, … in the content refer. Empty until the answer is complete. */
  readonly citations: readonly Citation[];
  /** Probability that the documents support the answer, or null if the answer has none. */
  readonly confidence: number | null;
  readonly status: 'GENERATING' | 'COMPLETED' | 'STOPPED' | 'FAILED';
  readonly rating: 'UP' | 'DOWN' | null;
}

const empty = {
  messageId: null,
  authorName: null,
  citations: [],
  confidence: null,
  rating: null,
} as const;

export function question(id: string, content: string): Message {
  return { ...empty, id, role: 'USER', content, status: 'COMPLETED' };
}

export function pendingAnswer(id: string): Message {
  return { ...empty, id, role: 'ASSISTANT', content: '', status: 'GENERATING' };
}

export function storedMessage(stored: Schemas['TranscriptMessage']): Message {
  const { id, role, authorName, content, citations, confidence, status } = stored;
  return { ...empty, id, messageId: id, role, authorName, content, citations, confidence, status };
}
