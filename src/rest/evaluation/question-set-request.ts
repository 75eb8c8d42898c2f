import type { ProjectBody } from '../request/read-input.ts';

export interface SetQuestionRequest {
  /**
   * The question. It must not be blank.
   * @maxLength 4000
   * @example "When does the sauna open?"
   */
  readonly question: string;
  /**
   * Texts that the answer must contain, each of at most 1,000 characters. An array lists alternatives, of which one is
   * enough. White space, case and quotation marks are ignored.
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
   * Tags of the question, each of at most 64 characters.
   * @maxItems 20
   * @example ["opening hours"]
   */
  readonly tags?: string[];
  /**
   * Language of the question.
   * @maxLength 20
   * @example "en"
   */
  readonly language?: string;
}

export interface CreateQuestionSetRequest extends ProjectBody {
  /**
   * Name of the set.
   * @minLength 1
   * @maxLength 255
   * @pattern \S
   * @extension {"x-pattern-message": "must not be blank"}
   * @example "Front desk"
   */
  readonly name: string;
  /**
   * The questions. Default: none.
   * @maxItems 10000
   */
  readonly questions?: SetQuestionRequest[];
}

export interface UpdateQuestionSetRequest extends ProjectBody {
  /**
   * Name of the set.
   * @minLength 1
   * @maxLength 255
   * @pattern \S
   * @extension {"x-pattern-message": "must not be blank"}
   * @example "Front desk"
   */
  readonly name: string;
}

export interface SetQuestionsRequest extends ProjectBody {
  /**
   * The questions. Instead of an object, the body may be this array. With an org-wide key, `projectId` is then a
   * parameter of the address.
   * @maxItems 10000
   * @example [{"question": "When does the sauna open?", "expected": ["noon"], "documentName": "house-rules.md"}]
   */
  readonly questions: SetQuestionRequest[];
}

/** Returns questions in the form of the GraphQL schema, in which each expected text lists its alternatives. */
export function questionInputs(questions: readonly SetQuestionRequest[]) {
  return questions.map(({ expected, ...question }) => ({
    ...question,
    ...(expected !== undefined && {
      expected: expected.map((text) => (typeof text === 'string' ? [text] : text)),
    }),
  }));
}
