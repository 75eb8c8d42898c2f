import type { PageQuery } from '../request/pagination.ts';
import type { ProjectBody } from '../request/read-input.ts';

export interface DocumentListQuery extends PageQuery {
  /**
   * Only documents with this text in their name. Case-insensitive.
   * @maxLength 255
   * @example "return"
   */
  readonly search?: string;
  /**
   * Only documents with this status.
   * @example "READY"
   */
  readonly status?: 'PROCESSING' | 'READY' | 'FAILED';
  /**
   * Only the document with this external id.
   * @maxLength 255
   * @example "handbook/returns"
   */
  readonly externalId?: string;
  /**
   * Only documents with this tag.
   * @maxLength 100
   * @example "hr"
   */
  readonly tag?: string;
  /**
   * Only documents of this source.
   * @format uuid
   * @example "01980a3f-5b6c-7d8e-9f01-2a3b4c5d6e7f"
   */
  readonly sourceId?: string;
}

/** Properties that a caller sets on a document. */
interface DetailsFields extends ProjectBody {
  /**
   * Your own id for the document, unique in the project.
   * @minLength 1
   * @maxLength 255
   * @pattern \S
   * @extension {"x-pattern-message": "must not be blank"}
   * @example "handbook/returns"
   */
  readonly externalId?: string;
  /**
   * Your own values: at most 50. Names have 1 to 64 characters out of `A-Z`, `a-z`, `0-9`, `_`, `.` and `-`. Values are
   * texts of at most 1,024 characters, numbers, booleans, or arrays of at most 100 texts.
   * @example {"region": "eu", "year": 2026}
   */
  readonly metadata?: { [name: string]: string | number | boolean | string[] };
  /**
   * Address at which people find the document.
   * @minLength 1
   * @maxLength 2048
   * @pattern ^[Hh][Tt][Tt][Pp][Ss]?://
   * @extension {"x-pattern-message": "must be an address that starts with http:// or https://"}
   * @example "https://example.com/handbook/returns"
   */
  readonly sourceUrl?: string;
  /**
   * Labels, each of at most 100 characters.
   * @maxItems 20
   * @example ["hr", "policy"]
   */
  readonly tags?: string[];
}

export interface CreateDocumentRequest extends DetailsFields {
  /**
   * Name of the document in lists and citations.
   * @minLength 1
   * @maxLength 255
   * @pattern \S
   * @extension {"x-pattern-message": "must not be blank"}
   * @example "Returns policy"
   */
  readonly name: string;
  /**
   * The raw text of the document.
   * @minLength 1
   * @maxLength 1000000
   * @pattern \S
   * @extension {"x-pattern-message": "must not be blank"}
   * @example "Items can be returned within 30 days of delivery."
   */
  readonly content: string;
}

export interface UpdateDocumentRequest extends ProjectBody {
  /**
   * Name of the document in lists and citations. Searches find the document by the words of its old name until its
   * content is replaced.
   * @minLength 1
   * @maxLength 255
   * @pattern \S
   * @extension {"x-pattern-message": "must not be blank"}
   * @example "Returns policy"
   */
  readonly name?: string;
  /**
   * Your own id for the document, unique in the project. Null removes the id.
   * @minLength 1
   * @maxLength 255
   * @pattern \S
   * @extension {"x-pattern-message": "must not be blank"}
   * @example "handbook/returns"
   */
  readonly externalId?: string | null;
  /**
   * Your own values. They replace all earlier values. Null removes all values.
   * @example {"region": "eu", "year": 2026}
   */
  readonly metadata?: { [name: string]: string | number | boolean | string[] } | null;
  /**
   * Address at which people find the document. Null removes the address.
   * @minLength 1
   * @maxLength 2048
   * @pattern ^[Hh][Tt][Tt][Pp][Ss]?://
   * @extension {"x-pattern-message": "must be an address that starts with http:// or https://"}
   * @example "https://example.com/handbook/returns"
   */
  readonly sourceUrl?: string | null;
  /**
   * Labels. They replace all earlier labels. Null removes all labels.
   * @maxItems 20
   * @example ["hr", "policy"]
   */
  readonly tags?: string[] | null;
}

export interface DocumentsRequest extends ProjectBody {
  /**
   * Ids of documents. Ids of other projects and unknown ids are ignored.
   * @minItems 1
   * @maxItems 1000
   * @example ["01980a3b-2c10-7b66-b0f4-7a8e9d0c1b2a"]
   */
  readonly documentIds: string[];
}
