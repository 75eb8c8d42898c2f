import type { PageFields } from '../request/pagination.ts';

/** A page or a file that did not become a document, or that could not be read. */
export interface SourceRefusalRecord {
  /**
   * @maxLength 2048
   * @example "https://example.com/docs/draft"
   */
  readonly url: string;
  /**
   * @maxLength 300
   * @example "The page asks not to be indexed"
   */
  readonly reason: string;
}

/** A page whose content was only partly read, or a place that was not read. */
export interface SourceWarningRecord {
  /**
   * @maxLength 2048
   * @example "//docs.example.com/"
   */
  readonly url: string;
  /**
   * @maxLength 300
   * @example "Pages of this host are linked or in the sitemap, but not read. Add an address of it to the start addresses to include it"
   */
  readonly reason: string;
}

export interface SourceRunRecord {
  readonly id: string;
  readonly sourceId: string;
  /** Time of the start. */
  readonly startedAt: string;
  /** Time of the end. Null while the run is in progress. */
  readonly finishedAt: string | null;
  readonly fetched: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly refused: number;
  /**
   * Number of documents that are no longer in the source but that the run has kept, because they are a large part of the source. To delete them, start a run with `confirmRemovals`.
   */
  readonly heldRemovals: number;
  /** The first 200 refused pages and files. */
  readonly refusals: SourceRefusalRecord[];
  readonly warnings: SourceWarningRecord[];
  /**
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
