import type { Client, CombinedError } from 'urql';
import { type AnswerPreview, previewAnswerQuery } from '../../chat/answer-preview.ts';
import { modelOptions } from '../../graphql/fetch-with-timeout.ts';
import { createProjectHook, Store } from '../../project/project-store.ts';
import type { ModelSettings } from '../../settings/answers/answer-operations.ts';

/** What one side of a comparison tries. Null: the setting of the project. */
export interface SideSettings {
  /** Minimum confidence for an answer, 0 to 1. */
  readonly confidenceThreshold: number | null;
  readonly languageModel: ModelSettings | null;
}

/** The answer of one side. Without answer and error, the side is still answering. */
export interface SideAnswer {
  readonly answer: AnswerPreview | null;
  readonly error: CombinedError | null;
  /** Time from sending the question to the answer, measured in this browser. */
  readonly totalMs: number | null;
}

type Pair<Value> = readonly [Value, Value];

export const sides = [0, 1] as const;
export const sideNames = ['A', 'B'] as const;
export type Side = (typeof sides)[number];

interface ComparisonState {
  readonly settings: Pair<SideSettings>;
  /** The latest question. Null before the first. */
  readonly question: string | null;
  readonly answers: Pair<SideAnswer>;
}

const projectSettings: SideSettings = { confidenceThreshold: null, languageModel: null };
const pending: SideAnswer = { answer: null, error: null, totalMs: null };

/**
 * Asks a question with two settings. Stores no conversation. It is kept when the operator opens another page of the
 * dashboard.
 */
class Comparison extends Store<ComparisonState> {
  readonly #projectId: string;
  #round = 0;

  constructor(projectId: string) {
    super({
      settings: [projectSettings, projectSettings],
      question: null,
      answers: [pending, pending],
    });
    this.#projectId = projectId;
  }

  changeSettings(side: Side, change: Partial<SideSettings>): void {
    this.update(({ settings, ...rest }) => ({
      ...rest,
      settings: replace(settings, side, { ...settings[side], ...change }),
    }));
  }

  async ask(client: Client, question: string): Promise<void> {
    const round = ++this.#round;
    this.update((state) => ({ ...state, question, answers: [pending, pending] }));
    await Promise.all(sides.map((side) => this.#askSide(client, question, side, round)));
  }

  /** Forgets the question. Answers that arrive later are ignored. */
  stop(): void {
    this.#round++;
    this.update((state) => ({ ...state, question: null }));
  }

  async #askSide(client: Client, question: string, side: Side, round: number): Promise<void> {
    const startedAt = performance.now();
    const { confidenceThreshold, languageModel } = this.state.settings[side];
    const variables = {
      projectId: this.#projectId,
      question,
      hasTrace: true,
      ...(confidenceThreshold !== null && { confidenceThreshold }),
      ...(languageModel !== null && { languageModel }),
    };
    const { data, error } = await client
      .query(previewAnswerQuery, variables, modelOptions)
      .toPromise();
    if (round !== this.#round) return;
    const answered: SideAnswer = {
      answer: data?.previewAnswer ?? null,
      error: error ?? null,
      totalMs: Math.max(1, Math.round(performance.now() - startedAt)),
    };
    this.update(({ answers, ...rest }) => ({ ...rest, answers: replace(answers, side, answered) }));
  }
}

function replace<Value>([a, b]: Pair<Value>, side: Side, value: Value): Pair<Value> {
  return side === 0 ? [value, b] : [a, value];
}

export const useProjectComparison = createProjectHook(
  (_session, projectId) => new Comparison(projectId),
);
