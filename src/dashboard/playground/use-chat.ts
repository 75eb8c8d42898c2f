import { useCallback, useRef, useState } from 'react';
import { useSession } from '../session/session-gate.tsx';
import { useProject } from '../shell/project.tsx';
import { type ChatEvent, streamAnswer } from './chat-stream.ts';

type Sources = Extract<ChatEvent, { __typename: 'ChatSources' }>;

/** A question and its answer as far as it has come. */
export interface Turn {
  readonly id: number;
  readonly question: string;
  readonly content: string;
  readonly citations: readonly Sources['citations'][number][];
  readonly confidence: number | null;
  readonly latencyMs: number | null;
  readonly state: 'answering' | 'done' | 'stopped' | 'failed';
  /** Why it failed. */
  readonly failure: string | null;
}

/** A conversation with the assistant, from its beginning. */
export function useChat() {
  const session = useSession();
  const { id: projectId } = useProject();
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [conversationId, setConversationId] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);

  const ask = useCallback(
    async (question: string) => {
      const stopping = new AbortController();
      running.current = stopping;
      const id = performance.now();
      setTurns((all) => [...all, { ...unanswered, id, question }]);
      const change = (part: (turn: Turn) => Partial<Turn>) =>
        setTurns((all) => all.map((turn) => (turn.id === id ? { ...turn, ...part(turn) } : turn)));
      try {
        const input = { projectId, message: question, conversationId };
        for await (const event of streamAnswer(session, input, stopping.signal)) {
          if (event.__typename === 'ChatMeta') setConversationId(event.conversationId);
          else change((turn) => afterEvent(turn, event));
        }
        change(({ state }) => (state === 'answering' ? { state: 'stopped' } : {}));
      } catch (error) {
        const failure = error instanceof Error ? error.message : 'The connection broke off';
        change(() =>
          stopping.signal.aborted ? { state: 'stopped' } : { state: 'failed', failure },
        );
      }
    },
    [session, projectId, conversationId],
  );

  return {
    turns,
    conversationId,
    ask,
    stop: () => running.current?.abort(),
    startAnew: () => {
      running.current?.abort();
      setTurns([]);
      setConversationId(null);
    },
  };
}

const unanswered: Omit<Turn, 'id' | 'question'> = {
  content: '',
  citations: [],
  confidence: null,
  latencyMs: null,
  state: 'answering',
  failure: null,
};

function afterEvent(
  turn: Turn,
  event: Exclude<ChatEvent, { __typename: 'ChatMeta' }>,
): Partial<Turn> {
  switch (event.__typename) {
    case 'ChatSources':
      return { citations: event.citations, confidence: event.confidence };
    case 'ChatDelta':
      return { content: turn.content + event.text };
    case 'ChatDone':
      return { ...event.reply, state: 'done' };
    case 'ChatError':
      return { state: 'failed', failure: event.message };
  }
}
