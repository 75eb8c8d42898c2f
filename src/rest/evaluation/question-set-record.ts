import type { PageFields } from '../request/pagination.ts';
import { boundFields, type FigureBoundsRecord } from './figures-record.ts';

/** When the questions of a set are asked, and what the figures must be. */
export interface SetScheduleRecord {
  /**
   * Hours between two runs.
   * @isInt
   * @minimum 1
   * @maximum 720
   * @example 24
   */
  readonly everyHours: number;
  readonly bounds: FigureBoundsRecord;
  /**
   * Time of the next run.
   * @format date-time
   * @example "2026-11-21T02:00:00.000Z"
   */
  readonly nextRunAt: string;
}

export interface QuestionSetRecord {
  /**
   * Id of the set.
   * @format uuid
   * @example "01980a40-7d1a-7b52-9c1e-4b0f6a2d8e31"
   */
  readonly id: string;
  /**
   * Id of the project whose assistant is asked.
   * @format uuid
   * @example "01980a3c-1f0b-7a54-8a7d-0c6d3f1b9e20"
   */
  readonly projectId: string;
  /**
   * Name of the set.
   * @maxLength 255
   * @example "Front desk"
   */
  readonly name: string;
  /**
   * Counts up with each change of the questions, from 1.
   * @isInt
   * @minimum 1
   * @example 3
   */
  readonly version: number;
  /**
   * Number of questions.
   * @isInt
   * @minimum 0
   * @maximum 10000
   * @example 120
   */
  readonly questionCount: number;
  /** Null: runs are started by hand only. */
  readonly schedule: SetScheduleRecord | null;
  /**
   * Time of creation.
   * @format date-time
   * @example "2026-11-20T09:30:00.000Z"
   */
  readonly createdAt: string;
  /**
   * Time of the last change.
   * @format date-time
   * @example "2026-11-20T09:30:00.000Z"
   */
  readonly updatedAt: string;
}

export interface QuestionSetPage extends PageFields {
  /** The sets, newest first. */
  readonly data: QuestionSetRecord[];
}

export interface SetQuestionRecord {
  /**
   * Id of the question. A replacement of the questions gives them new ids.
   * @format uuid
   * @example "01980a40-7d1a-7b52-9c1e-4b0f6a2d8e32"
   */
  readonly id: string;
  /**
   * The question.
   * @maxLength 4000
   * @example "When does the sauna open?"
   */
  readonly question: string;
  /**
   * Texts that the answer must contain. An array lists alternatives, of which one is enough.
   * @example ["noon", ["Saturday", "weekend"]]
   */
  readonly expected: (string | string[])[];
  /**
   * The document that answers the question, which may have been deleted.
   * @format uuid
   * @example "01980a3d-5a77-7c1e-9f6b-2b1d4e8a6c35"
   */
  readonly documentId: string | null;
  /**
   * Name of the documents that answer the question, if there is no `documentId`.
   * @maxLength 255
   * @example "house-rules.md"
   */
  readonly documentName: string | null;
  /**
   * Whether the documents do not answer the question, so that the assistant must say so.
   * @example false
   */
  readonly mustRefuse: boolean;
  /**
   * Tags of the question.
   * @example ["opening hours"]
   */
  readonly tags: string[];
  /**
   * Language of the question.
   * @maxLength 20
   * @example "en"
   */
  readonly language: string | null;
  /**
   * The conversation that the question was taken from. The question is erased with its end user.
   * @format uuid
   * @example "01980a3e-2b1c-7d4f-8e6a-9c0b1d2e3f40"
   */
  readonly conversationId: string | null;
}

export interface SetQuestionPage extends PageFields {
  /** The questions, in their order. */
  readonly data: SetQuestionRecord[];
}

export const setFields =
  `id projectId name version questionCount schedule { everyHours ${boundFields} nextRunAt } createdAt updatedAt` as const;
export const questionFields =
  'id question expected documentId documentName mustRefuse tags language conversationId';

/** Returns expected texts as the API writes them: an item with one alternative is a text. */
export function expectedTexts(
  expected: readonly (readonly string[])[],
): SetQuestionRecord['expected'] {
  return expected.map((alternatives) => {
    const [first, ...others] = alternatives;
    return first !== undefined && others.length === 0 ? first : [...alternatives];
  });
}

/** Returns a question whose expected texts are as the API writes them. */
export function questionRecord(
  question: Omit<SetQuestionRecord, 'expected'> & { readonly expected: string[][] },
): SetQuestionRecord {
  return { ...question, expected: expectedTexts(question.expected) };
}
