import type { Session } from '../session/session.ts';
import { perProject, Store } from '../shell/store.ts';
import { type ChatEvent, streamAnswer } from './chat-stream.ts';

type Sources = Extract<ChatEvent, { __typename: 'ChatSources' }>;

/** A question and its answer as far as it has come. */
export interface Turn {
  readonly id: number;
  readonly question: string;
  /** The conversation that the question was to continue; null where it began one. */
  readonly continues: string | null;
  readonly content: string;
  readonly citations: readonly Sources['citations'][number][];
  readonly confidence: number | null;
  /** From the sending of the question to the first of its answer, as it was here. */
  readonly firstTextMs: number | null;
  /** From the sending of the question to the end of its answer, as it was here. */
  readonly wholeMs: number | null;
  /** From the question to the end of the answer, as the service tells it. */
  readonly latencyMs: number | null;
  readonly state: 'answering' | 'done' | 'stopped' | 'failed';
  /** Why it failed. */
  readonly failure: string | null;
}

interface Conversation {
  readonly turns: readonly Turn[];
  /** Null until the service has begun it. */
  readonly conversationId: string | null;
}

const noConversation: Conversation = { turns: [], conversationId: null };

/** A conversation with the assistant, from its beginning. It stays while its sources are looked at on other pages. */
export class Chat extends Store<Conversation> {
  readonly #session: Session;
  readonly #projectId: string;
  #running: AbortController | null = null;
  #lastId = 0;

  constructor(session: Session, projectId: string) {
    super(noConversation);
    this.#session = session;
    this.#projectId = projectId;
  }

  async ask(message: string): Promise<void> {
    this.stop();
    const stopping = new AbortController();
    this.#running = stopping;
    const id = ++this.#lastId;
    const { conversationId } = this.state;
    const turn = { ...unanswered, id, question: message, continues: conversationId };
    this.change(({ turns, ...rest }) => ({ ...rest, turns: [...turns, turn] }));
    const askedAt = performance.now();
    try {
      const question = { projectId: this.#projectId, message, conversationId };
      for await (const event of streamAnswer(this.#session, question, stopping.signal)) {
        this.#take(id, event, performance.now() - askedAt);
      }
      this.#set(id, ({ state }) =>
        state !== 'answering'
          ? {}
          : stopping.signal.aborted
            ? { state: 'stopped' }
            : { state: 'failed', failure: brokenOff },
      );
    } catch (error) {
      const failure = error instanceof Error && error.message !== '' ? error.message : brokenOff;
      this.#set(id, () =>
        stopping.signal.aborted ? { state: 'stopped' } : { state: 'failed', failure },
      );
    }
  }

  /** Asks anew what was not answered, in place of the turn that failed. */
  retry({ id, question }: Turn): void {
    this.change(({ turns, ...rest }) => ({
      ...rest,
      turns: turns.filter((turn) => turn.id !== id),
    }));
    void this.ask(question);
  }

  stop(): void {
    this.#running?.abort();
  }

  startAnew(): void {
    this.stop();
    this.change(() => noConversation);
  }

  #take(id: number, event: ChatEvent, afterMs: number): void {
    if (event.__typename !== 'ChatMeta') return this.#set(id, afterEvent(event, afterMs));
    const { conversationId } = event;
    this.change((all) =>
      all.turns.some((turn) => turn.id === id) ? { ...all, conversationId } : all,
    );
  }

  #set(id: number, part: (turn: Turn) => Partial<Turn>): void {
    this.change(({ turns, ...rest }) => ({
      ...rest,
      turns: turns.map((turn) => (turn.id === id ? { ...turn, ...part(turn) } : turn)),
    }));
  }
}

export const useKeptChat = perProject((session, projectId) => new Chat(session, projectId));

const brokenOff = 'The connection broke off.';

const unanswered: Omit<Turn, 'id' | 'question' | 'continues'> = {
  content: '',
  citations: [],
  confidence: null,
  firstTextMs: null,
  wholeMs: null,
  latencyMs: null,
  state: 'answering',
  failure: null,
};

function afterEvent(
  event: Exclude<ChatEvent, { __typename: 'ChatMeta' }>,
  afterMs: number,
): (turn: Turn) => Partial<Turn> {
  const ms = Math.max(1, Math.round(afterMs));
  return ({ content, firstTextMs }) => {
    switch (event.__typename) {
      case 'ChatSources':
        return { citations: event.citations, confidence: event.confidence };
      case 'ChatDelta':
        return {
          content: content + event.text,
          firstTextMs: firstTextMs ?? ms,
        };
      case 'ChatDone':
        return { ...event.reply, wholeMs: ms, state: 'done' };
      case 'ChatError':
        return { state: 'failed', failure: event.message };
    }
  };
}
