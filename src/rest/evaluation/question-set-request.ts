import type { ProjectBody } from '../request/read-input.ts';
import type { FigureBoundsRequest } from './figures-record.ts';

export interface SetQuestionRequest {
  /**
   * Text of the question. A run asks it at the start of a new conversation. It must not be blank.
   * @maxLength 4000
   * @example "When does the sauna open?"
   */
  readonly question: string;
  /**
   * Texts that the answer must contain, each of at most 1,000 characters, and of 20,000 in total. An array lists
   * alternatives, of which one is enough. They begin and end at words and numbers: "5 days" is not in "15 days". White
   * space, case and quotation marks are ignored.
   * @maxItems 20
   * @example ["noon", ["Saturday", "weekend"]]
   */
  readonly expected?: (string | string[])[];
  /**
   * The document that answers the question. Default: any.
   * @format uuid
   * @example "01980a3d-5a77-7c1e-9f6b-2b1d4e8a6c35"
   */
  readonly documentId?: string;
  /**
   * Name of the documents that answer the question. Ignored with a `documentId`.
   * @maxLength 255
   * @example "house-rules.md"
   */
  readonly documentName?: string;
  /**
   * True: the documents do not answer the question, and the assistant must say so. The expectations are then ignored.
   * @example false
   */
  readonly mustRefuse?: boolean;
  /**
   * Your own labels, such as topics, each of at most 64 characters. They do not affect answers or figures.
   * @maxItems 20
   * @example ["opening hours"]
   */
  readonly tags?: string[];
  /**
   * Language code of the question, such as `en`. It does not affect answers or figures. Default: null.
   * @maxLength 20
   * @example "en"
   */
  readonly language?: string;
  /**
   * The conversation that the question was taken from. The question is erased with its end user. Default: none.
   * @format uuid
   * @example "01980a3e-2b1c-7d4f-8e6a-9c0b1d2e3f40"
   */
  readonly conversationId?: string;
}

/** Changes to a question. Omitted fields stay unchanged. */
export interface UpdateSetQuestionRequest extends ProjectBody {
  /**
   * Text of the question. A run asks it at the start of a new conversation. It must not be blank.
   * @maxLength 4000
   * @example "When does the sauna open?"
   */
  readonly question?: string;
  /**
   * Texts that the answer must contain, as in a new question. An empty array removes them.
   * @maxItems 20
   * @example ["noon"]
   */
  readonly expected?: (string | string[])[];
  /**
   * The document that answers the question. Null: any.
   * @format uuid
   * @example "01980a3d-5a77-7c1e-9f6b-2b1d4e8a6c35"
   */
  readonly documentId?: string | null;
  /**
   * Name of the documents that answer the question. Null: any.
   * @maxLength 255
   * @example "house-rules.md"
   */
  readonly documentName?: string | null;
  /**
   * Whether the documents do not answer the question, so that the assistant must say so.
   * @example false
   */
  readonly mustRefuse?: boolean;
  /**
   * Your own labels, such as topics, each of at most 64 characters. They do not affect answers or figures.
   * @maxItems 20
   * @example ["opening hours"]
   */
  readonly tags?: string[];
  /**
   * Language code of the question, such as `en`. It does not affect answers or figures. Null removes it.
   * @maxLength 20
   * @example "en"
   */
  readonly language?: string | null;
}

/**
 * Starts a run with the settings of the project every `everyHours` hours, the first after that time. If a run is outside
 * a bound, or fails, webhooks receive `evaluation.regressed`.
 * @example {"everyHours": 24, "bounds": {"recallAt5": 0.95, "refusedWrongly": 0.05}}
 */
export interface SetScheduleRequest {
  /**
   * Hours between two runs.
   * @isInt
   * @minimum 1
   * @maximum 720
   * @example 24
   */
  readonly everyHours: number;
  readonly bounds?: FigureBoundsRequest;
}

export interface CreateQuestionSetRequest extends ProjectBody {
  /**
   * Name of the set, in lists and in `evaluation.regressed` events. It need not be unique.
   * @minLength 1
   * @maxLength 255
   * @pattern \S
   * @extension {"x-pattern-message": "must not be blank"}
   * @example "Front desk"
   */
  readonly name: string;
  /**
   * Questions of the new set, in their order. Default: none.
   * @maxItems 10000
   */
  readonly questions?: SetQuestionRequest[];
  readonly schedule?: SetScheduleRequest;
}

export interface UpdateQuestionSetRequest
  extends ProjectBody,
    Partial<Pick<CreateQuestionSetRequest, 'name'>> {
  /**
   * Replaces the schedule. If `everyHours` stays the same, so does the time of the next run. Null ends the schedule.
   */
  readonly schedule?: SetScheduleRequest | null;
}

export interface SetQuestionsRequest extends ProjectBody {
  /**
   * Questions to store. A set has at most 10,000. Instead of an object, the body may be this array. With an org-wide
   * key, `projectId` is then a parameter of the address.
   * @maxItems 10000
   * @example [{"question": "When does the sauna open?", "expected": ["noon"], "documentName": "house-rules.md"}]
   */
  readonly questions: SetQuestionRequest[];
}

/** Returns questions in the form of the GraphQL schema, in which each expected text lists its alternatives. */
export function questionInputs(questions: readonly SetQuestionRequest[]) {
  return questions.map(questionInput);
}

/** Returns the fields of a question in the form of the GraphQL schema. */
export function questionInput<Fields extends Pick<SetQuestionRequest, 'expected'>>({
  expected,
  ...fields
}: Fields) {
  return {
    ...fields,
    ...(expected !== undefined && {
      expected: expected.map((text) => (typeof text === 'string' ? [text] : text)),
    }),
  };
}
