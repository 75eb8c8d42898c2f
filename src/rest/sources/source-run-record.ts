import type { PageFields } from '../request/pagination.ts';

/** A page or a file that did not become a document, or that could not be read. */
export interface SourceRefusalRecord {
  /**
   * Address of the page, or path of the file.
   * @maxLength 2048
   * @example "https://example.com/docs/draft"
   */
  readonly url: string;
  /**
   * Reason in English.
   * @maxLength 300
   * @example "The page asks not to be indexed"
   */
  readonly reason: string;
}

/** A page whose content was only partly read, or a place that was not read. */
export interface SourceWarningRecord {
  /**
   * Address of the page, or of the place.
   * @maxLength 2048
   * @example "//docs.example.com/"
   */
  readonly url: string;
  /**
   * What was left out and why, in English.
   * @maxLength 300
   * @example "Pages of this host are linked or in the sitemap, but not read. Add an address of it to the start addresses to include it"
   */
  readonly reason: string;
}

export interface SourceRunRecord {
  /**
   * Id of the run.
   * @format uuid
   * @example "01980a3e-1a2b-7c3d-8e4f-5a6b7c8d9e0f"
   */
  readonly id: string;
  /**
   * Id of the source.
   * @format uuid
   * @example "01980a3c-1f0b-7a54-8a7d-0c6d3f1b9e20"
   */
  readonly sourceId: string;
  /**
   * Time of the start.
   * @format date-time
   * @example "2026-11-21T03:00:00.000Z"
   */
  readonly startedAt: string;
  /**
   * Time of the end. Null while the run is in progress.
   * @format date-time
   * @example "2026-11-21T03:05:00.000Z"
   */
  readonly finishedAt: string | null;
  /**
   * Number of pages and files that were requested.
   * @isInt
   * @minimum 0
   * @example 300
   */
  readonly fetched: number;
  /**
   * Number of new documents.
   * @isInt
   * @minimum 0
   * @example 2
   */
  readonly added: number;
  /**
   * Number of documents with new content.
   * @isInt
   * @minimum 0
   * @example 5
   */
  readonly changed: number;
  /**
   * Number of deleted documents.
   * @isInt
   * @minimum 0
   * @example 1
   */
  readonly removed: number;
  /**
   * Number of documents without a change.
   * @isInt
   * @minimum 0
   * @example 290
   */
  readonly unchanged: number;
  /**
   * Number of pages and files that did not become documents, or could not be read.
   * @isInt
   * @minimum 0
   * @example 1
   */
  readonly refused: number;
  /**
   * Number of documents that are no longer in the source but that the run has kept, because they are a large part of
   * the source. To delete them, start a run with `confirmRemovals`.
   * @isInt
   * @minimum 0
   * @example 0
   */
  readonly heldRemovals: number;
  /** The first 200 refused pages and files. */
  readonly refusals: SourceRefusalRecord[];
  /** Pages and places that were left out although the run did not fail. At most the first 200. */
  readonly warnings: SourceWarningRecord[];
  /**
   * Why the documents may differ from the source. Null if they do not differ.
   * @maxLength 500
   * @example "The website has more than 1000 pages"
   */
  readonly error: string | null;
}

export interface SourceRunPage extends PageFields {
  /** The runs, newest first. */
  readonly data: SourceRunRecord[];
}

export const runFields =
  'id sourceId startedAt finishedAt fetched added changed removed unchanged refused heldRemovals refusals { url reason } warnings { url reason } error';
