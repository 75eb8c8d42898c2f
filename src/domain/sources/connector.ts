import type { Source } from '../../platform/postgres/generated/prisma/client.ts';
import type { Context } from '../context.ts';
import type { DocumentMetadata } from '../knowledge/document-details.ts';
import type { ClaimedRun, RunReport } from './run-report.ts';
import type { SourceConfigInput } from './source-config.ts';

/** A kind of source: how its configuration is checked, and how it is read. */
export interface Connector {
  /** Names of the fields of its configuration. Others are refused. */
  readonly fields: readonly (keyof SourceConfigInput)[];
  /** The field that is stored encrypted and never returned, or null. */
  readonly secretField: 'token' | 'secretAccessKey' | null;
  /** Whether nothing can be read without the secret. */
  readonly isSecretRequired: boolean;
  /** Returns the part of a configuration that says where the secret is sent. */
  secretTarget(config: unknown): string;
  /**
   * Returns the configuration with defaults for fields that `input` and `current` lack, without the secret.
   * @throws DomainError VALIDATION_FAILED with a message for each invalid field
   */
  requireValidConfig(input: SourceConfigInput, current: unknown): Readonly<Record<string, unknown>>;
  /**
   * Makes the documents of the source equal to what it reads, and counts in `report`. Returns why the documents may
   * differ, or null. The process may die at any time: another one then calls `read` with the same run.
   */
  read(reading: SourceReading): Promise<string | null>;
}

export interface SourceReading {
  readonly context: Context;
  readonly source: Source;
  /** The decrypted secret. */
  readonly secret: string | null;
  readonly organizationId: string;
  readonly run: ClaimedRun & { readonly startedAt: Date };
  readonly report: RunReport;
}

/** A place that lists its files or pages with their versions. Read by `readItems`. */
export interface ItemReader {
  /**
   * Yields all files that may become documents.
   * @throws SourceError when the list is not complete. No document is deleted then.
   */
  list(): AsyncIterable<SourceItem>;
  /** Yields each of the items once, with its content. */
  read(items: readonly SourceItem[]): AsyncIterable<ReadItem>;
}

export interface SourceItem {
  /** Unique in the source and stable, such as a path. */
  readonly id: string;
  /** Differs if the content differs, such as a hash. */
  readonly version: string;
  /** Path of a file. Documents of the same name differ by it. */
  readonly path?: string;
  /** Name of the document. The name of a file ends with the extension of its format. */
  readonly name: string;
  /** Address at which people find the file, or null. */
  readonly sourceUrl: string | null;
}

export interface ReadItem {
  readonly item: SourceItem;
  readonly content: ItemContent;
}

export type ItemContent =
  | { readonly type: 'file'; readonly body: Buffer }
  /** Without metadata, the document keeps what it has. `leftOut` says which parts of the page are missing, and why. */
  | {
      readonly type: 'text';
      readonly markdown: string;
      readonly metadata?: DocumentMetadata;
      readonly leftOut?: string | null;
    }
  /**
   * `isFinal`: this version will never be a document. Otherwise the document of an earlier version is kept. `isMissing`:
   * there is no such item now, so it has no document, and the next run that lists it reads it again.
   */
  | {
      readonly type: 'refused';
      readonly reason: string;
      readonly isFinal: boolean;
      readonly isMissing?: boolean;
    };

/** A source cannot be read now. The message says why, for the report of the run. */
export class SourceError extends Error {}

/** The largest file that a source reads. */
export const maxFileBytes = 20 * 1024 * 1024;
export const maxRunMs = 5 * 3_600_000;
