import type { Source } from '../../platform/postgres/generated/prisma/client.ts';
import type { Context } from '../context.ts';
import type { DocumentMetadata } from '../knowledge/document-details.ts';
import type { ClaimedRun, RunReport } from './run-report.ts';
import type { SourceConfigInput } from './source-config.ts';

/** A kind of source. Defines how its configuration is checked and how it is read. */
export interface Connector {
  /** Names of the fields in the configuration. Other fields are refused. */
  readonly fields: readonly (keyof SourceConfigInput)[];
  /** Name of the field that is stored encrypted and never returned, or null if there is none. */
  readonly secretField: 'token' | 'secretAccessKey' | null;
  /** If true, the source cannot be read without the secret. */
  readonly isSecretRequired: boolean;
  /** Returns the part of a configuration that determines where the secret is sent. */
  secretTarget(config: unknown): string;
  /**
   * Returns the configuration without the secret. Fields that neither `input` nor `current` contains get their
   * defaults.
   * @throws DomainError VALIDATION_FAILED with a message for each invalid field
   */
  requireValidConfig(input: SourceConfigInput, current: unknown): Readonly<Record<string, unknown>>;
  /**
   * Makes the documents of the source equal to the contents of the source, and counts the changes in `report`. Returns
   * null, or the reason why the documents may still differ. The process may die at any time. Another process then calls
   * `read` with the same run.
   */
  read(reading: SourceReading): Promise<string | null>;
}

export interface SourceReading {
  readonly context: Context;
  readonly source: Source;
  /** The decrypted secret, or null. */
  readonly secret: string | null;
  readonly organizationId: string;
  readonly run: ClaimedRun & { readonly startedAt: Date };
  readonly report: RunReport;
}

/** A source that can list its files or pages with their versions. `readItems` uses it. */
export interface ItemReader {
  /**
   * Yields all files that may become documents.
   * @throws SourceError when the list is not complete. No document is deleted then.
   */
  list(): AsyncIterable<SourceItem>;
  /** Yields each of the items once, together with its content. */
  read(items: readonly SourceItem[]): AsyncIterable<ReadItem>;
}

export interface SourceItem {
  /** Must be unique in the source and never change, such as a path. */
  readonly id: string;
  /** Must change if the content changes, such as a hash. */
  readonly version: string;
  /** Path of a file. It distinguishes documents with the same name. */
  readonly path?: string;
  /** Name of the document. If the item is a file, the name ends with the extension of its format. */
  readonly name: string;
  /** Web address at which people find the file, or null. */
  readonly sourceUrl: string | null;
}

export interface ReadItem {
  readonly item: SourceItem;
  readonly content: ItemContent;
}

export type ItemContent =
  | { readonly type: 'file'; readonly body: Buffer }
  /**
   * If `metadata` is absent, the document keeps its metadata. `leftOut` states which parts of the page are missing, and
   * why.
   */
  | {
      readonly type: 'text';
      readonly markdown: string;
      readonly metadata?: DocumentMetadata;
      readonly leftOut?: string | null;
    }
  /**
   * `isFinal`: if true, this version can never become a document. If false, the document of an earlier version is kept.
   * `isMissing`: if true, the item does not exist now, so it has no document. If a later run lists the item, that run
   * reads it again.
   */
  | {
      readonly type: 'refused';
      readonly reason: string;
      readonly isFinal: boolean;
      readonly isMissing?: boolean;
    };

/** Reports that a source cannot be read now. The message contains the reason, for the report of the run. */
export class SourceError extends Error {}

/** Maximum size of a file that a source reads, in bytes. */
export const maxFileBytes = 20 * 1024 * 1024;
export const maxRunMs = 5 * 3_600_000;
