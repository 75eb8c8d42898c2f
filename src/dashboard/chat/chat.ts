import { createProjectHook, Store } from '../project/project-store.ts';
import type { Session } from '../session/session.ts';
import { type ChatEvent, streamAnswer } from './chat-stream.ts';

export type Rating = 'UP' | 'DOWN';

type Sources = Extract<ChatEvent, { __typename: 'ChatSources' }>;

/** A question and its answer. The answer may be partial. */
export interface Turn {
  readonly id: number;
  readonly question: string;
  /** The conversation that the question was sent to. Null if the question started a new one. */
  readonly conversationId: string | null;
  /** Id of the answer, to rate it. Null until the service has created the answer. */
  readonly messageId: string | null;
  /** The operator's rating of the answer. */
  readonly rating: Rating | null;
  readonly content: string;
  readonly citations: readonly Sources['citations'][number][];
  readonly confidence: number | null;
  /** The question with corrected spelling, which was used for the search. Null if nothing was corrected. */
  readonly correctedQuestion: string | null;
  /** Time from sending the question to the first token, measured in this browser. */
  readonly firstTokenMs: number | null;
  /** Time from sending the question to the end of the answer, measured in this browser. */
  readonly totalMs: number | null;
  /** Time from receiving the question to the end of the answer, measured by the service. */
  readonly latencyMs: number | null;
  /** Kind of small talk. Null if the message is a question, and until the answer is complete. */
  readonly intent: Extract<ChatEvent, { __typename: 'ChatDone' }>['reply']['intent'];
  readonly state: 'answering' | 'done' | 'stopped' | 'failed';
  /** Error message. Null if the answer did not fail. */
  readonly failure: string | null;
}

interface Conversation {
  readonly turns: readonly Turn[];
  /** Null until the service has created the conversation. */
  readonly conversationId: string | null;
}

const emptyConversation: Conversation = { turns: [], conversationId: null };

/** A conversation with the assistant. It is kept when the operator opens another page of the dashboard. */
class Chat extends Store<Conversation> {
  readonly #session: Session;
  readonly #projectId: string;
  #activeRequest: AbortController | null = null;
  #lastId = 0;

  constructor(session: Session, projectId: string) {
    super(emptyConversation);
    this.#session = session;
    this.#projectId = projectId;
  }

  async ask(message: string): Promise<void> {
    this.stop();
    const controller = new AbortController();
    this.#activeRequest = controller;
    const id = ++this.#lastId;
    const { conversationId } = this.state;
    const turn = { ...emptyTurn, id, question: message, conversationId };
    this.update(({ turns, ...rest }) => ({ ...rest, turns: [...turns, turn] }));
    const startedAt = performance.now();
    try {
      const question = { projectId: this.#projectId, message, conversationId };
      for await (const event of streamAnswer(this.#session, question, controller.signal)) {
        this.#applyEvent(id, event, performance.now() - startedAt);
      }
      this.#updateTurn(id, ({ state }) =>
        state !== 'answering'
          ? {}
          : controller.signal.aborted
            ? { state: 'stopped' }
            : { state: 'failed', failure: connectionLostMessage },
      );
    } catch (error) {
      const failure =
        error instanceof Error && error.message !== '' ? error.message : connectionLostMessage;
      this.#updateTurn(id, () =>
        controller.signal.aborted ? { state: 'stopped' } : { state: 'failed', failure },
      );
    }
  }

  /** Sends the question of a failed turn again and replaces the turn. */
  retry({ id, question }: Turn): void {
    this.update(({ turns, ...rest }) => ({
      ...rest,
      turns: turns.filter((turn) => turn.id !== id),
    }));
    void this.ask(question);
  }

  /** Shows the rating that was stored. */
  setRating(id: number, rating: Rating): void {
    this.#updateTurn(id, () => ({ rating }));
  }

  stop(): void {
    this.#activeRequest?.abort();
  }

  startNewConversation(): void {
    this.stop();
    this.update(() => emptyConversation);
  }

  #applyEvent(id: number, event: ChatEvent, elapsedMs: number): void {
    if (event.__typename !== 'ChatMeta') return this.#updateTurn(id, reduceEvent(event, elapsedMs));
    const { conversationId, messageId } = event;
    this.update((all) =>
      all.turns.some((turn) => turn.id === id) ? { ...all, conversationId } : all,
    );
    this.#updateTurn(id, () => ({ messageId }));
  }

  #updateTurn(id: number, part: (turn: Turn) => Partial<Turn>): void {
    this.update(({ turns, ...rest }) => ({
      ...rest,
      turns: turns.map((turn) => (turn.id === id ? { ...turn, ...part(turn) } : turn)),
    }));
  }
}

export const useProjectChat = createProjectHook(
  (session, projectId) => new Chat(session, projectId),
);

const connectionLostMessage = 'The connection was lost.';

const emptyTurn: Omit<Turn, 'id' | 'question' | 'conversationId'> = {
  messageId: null,
  rating: null,
  content: '',
  citations: [],
  confidence: null,
  correctedQuestion: null,
  firstTokenMs: null,
  totalMs: null,
  latencyMs: null,
  intent: null,
  state: 'answering',
  failure: null,
};

function reduceEvent(
  event: Exclude<ChatEvent, { __typename: 'ChatMeta' }>,
  elapsedMs: number,
): (turn: Turn) => Partial<Turn> {
  const ms = Math.max(1, Math.round(elapsedMs));
  return ({ content, firstTokenMs }) => {
    switch (event.__typename) {
      case 'ChatSources':
        return {
          citations: event.citations,
          confidence: event.confidence,
          correctedQuestion: event.correctedQuestion,
        };
      case 'ChatDelta':
        return {
          content: content + event.text,
          firstTokenMs: firstTokenMs ?? ms,
        };
      case 'ChatDone':
        return { ...event.reply, totalMs: ms, state: 'done' };
      case 'ChatError':
        return { state: 'failed', failure: event.message };
    }
  };
}
