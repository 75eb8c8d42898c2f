import type { PageFields } from '../request/pagination.ts';
import { boundFields, type FigureBoundsRecord } from './figures-record.ts';

/** When the questions of a set are asked, and what the figures must be. */
export interface SetScheduleRecord {
  /**
   * @isInt
   * @minimum 1
   * @maximum 720
   * @example 24
   */
  readonly everyHours: number;
  readonly bounds: FigureBoundsRecord;
  /** Time of the next run. */
  readonly nextRunAt: string;
}

export interface QuestionSetRecord {
  readonly id: string;
  readonly projectId: string;
  /**
   * Name of the set.
   * @maxLength 255
   * @example "Front desk"
   */
  readonly name: string;
  /**
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
  readonly schedule: SetScheduleRecord | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface QuestionSetPage extends PageFields {
  /** The sets, newest first. */
  readonly data: QuestionSetRecord[];
}

export interface SetQuestionRecord {
  /** Id of the question. A replacement of the questions gives them new ids. */
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
  readonly documentId: string | null;
  /**
   * @maxLength 255
   * @example "house-rules.md"
   */
  readonly documentName: string | null;
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
