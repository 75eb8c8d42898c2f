import type { PageFields } from '../request/pagination.ts';
import { boundFields, type FigureBoundsRecord } from './figures-record.ts';

/** Interval of the runs of a set, and bounds for their figures. */
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
   * Name of the set, in lists and in `evaluation.regressed` events. It need not be unique.
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
   * Number of questions in the current version.
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
   * Text of the question. A run asks it at the start of a new conversation.
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
   * Your own labels, such as topics. They do not affect answers or figures.
   * @example ["opening hours"]
   */
  readonly tags: string[];
  /**
   * Language code that the caller has set, or null. It does not affect answers or figures.
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
