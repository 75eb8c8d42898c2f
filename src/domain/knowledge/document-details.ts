import { DomainError } from '../../platform/errors.ts';
import { isJsonObject } from '../../platform/is-json-object.ts';
import { hasAtMostCodePoints, hasNoNul, isWellFormed } from '../../text/text-rules.ts';
import type { Document } from './documents.ts';

export type MetadataValue = string | number | boolean | string[];
/** A type alias and not an interface, because interfaces are not assignable to Prisma's JSON type. */
export type DocumentMetadata = { [key: string]: MetadataValue };

/** Properties that a caller sets on a document. They are not part of the text that is searched. */
export interface DocumentDetails {
  /** Id that the caller has chosen for the document, unique in the project. */
  readonly externalId: string | null;
  readonly metadata: DocumentMetadata;
  readonly sourceUrl: string | null;
  readonly tags: readonly string[];
}

/** Details of a new or replaced document. A field that is null or absent keeps its value. */
export interface DetailsInput {
  readonly externalId?: string | null;
  readonly metadata?: unknown;
  readonly sourceUrl?: string | null;
  readonly tags?: readonly string[] | null;
}

const maxTags = 20;
export const maxTagLength = 100;
export const maxExternalIdLength = 255;
export const maxSourceUrlLength = 2_048;
const maxMetadataKeys = 50;
export const maxMetadataLength = 1_024;
const maxMetadataItems = 100;
/** Maximum length of the metadata as JSON. Limited because search results contain the metadata. */
const maxMetadataJsonLength = 65_536;

/**
 * Returns the given details, normalized to Unicode NFC and without repeated tags.
 *
 * @throws DomainError VALIDATION_FAILED with a message for each invalid field.
 */
export function requireValidDetails(input: DetailsInput): Partial<DocumentDetails> {
  const problems = [
    ['externalId', externalIdProblem(input.externalId)],
    ['metadata', metadataProblem(input.metadata)],
    ['sourceUrl', sourceUrlProblem(input.sourceUrl)],
    ['tags', tagsProblem(input.tags)],
  ].flatMap(([field, problem]) => (problem === null ? [] : [`${field} ${problem}`]));
  if (problems.length > 0) throw new DomainError('VALIDATION_FAILED', problems);
  const { externalId, metadata, sourceUrl, tags } = input;
  return {
    ...(externalId != null && { externalId: externalId.normalize('NFC') }),
    ...(metadata != null && { metadata: normalizeMetadata(asMetadata(metadata)) }),
    ...(sourceUrl != null && { sourceUrl: sourceUrl.normalize('NFC') }),
    ...(tags != null && { tags: [...new Set(tags.map((tag) => tag.normalize('NFC')))] }),
  };
}

/** Returns the details whose values differ from the values of the document. */
export function changedDetails(
  document: Pick<Document, keyof DocumentDetails>,
  details: Partial<DocumentDetails>,
): Partial<DocumentDetails> {
  const isChanged = ([field, value]: [string, unknown]) =>
    canonicalJson(value) !== canonicalJson(Reflect.get(document, field));
  return Object.fromEntries(Object.entries(details).filter(isChanged));
}

/** Returns the metadata of a row. Does not check it, because the service stores only valid metadata. */
export function asMetadata(stored: unknown): DocumentMetadata {
  return stored as DocumentMetadata;
}

/** Returns the metadata with the given values added. Returns null if the result would have too many keys. */
export function addMetadata(
  metadata: DocumentMetadata,
  added: DocumentMetadata,
): DocumentMetadata | null {
  const all = { ...metadata, ...added };
  return Object.keys(all).length > maxMetadataKeys ? null : all;
}

/** Returns the problem of an external id, or null if it is valid. */
function externalIdProblem(externalId: string | null | undefined): string | null {
  if (externalId == null) return null;
  if (!/\S/.test(externalId)) return 'must not be blank';
  return textProblem(externalId, maxExternalIdLength);
}

function sourceUrlProblem(sourceUrl: string | null | undefined): string | null {
  if (sourceUrl == null) return null;
  const problem = textProblem(sourceUrl, maxSourceUrlLength);
  if (problem !== null) return problem;
  const isWeb = /^https?:\/\/[^\s\p{Cc}]+$/iu.test(sourceUrl) && URL.canParse(sourceUrl);
  return isWeb ? null : 'must be an address that starts with http:// or https://';
}

function tagsProblem(tags: readonly string[] | null | undefined): string | null {
  if (tags == null) return null;
  if (tags.length > maxTags) return `must have at most ${maxTags} entries`;
  for (const tag of tags) {
    if (!/\S/.test(tag)) return 'must not contain a blank entry';
    const problem = textProblem(tag, maxTagLength);
    if (problem !== null) return `entries ${problem}`;
  }
  return null;
}

/** Returns the problem of metadata, or null if it is valid. */
function metadataProblem(metadata: unknown): string | null {
  if (metadata == null) return null;
  if (typeof metadata !== 'object' || Array.isArray(metadata)) return 'must be an object';
  const entries = Object.entries(metadata);
  if (entries.length > maxMetadataKeys) return `must have at most ${maxMetadataKeys} keys`;
  for (const [key, value] of entries) {
    if (!/^[A-Za-z0-9_.-]{1,64}$/.test(key)) {
      return 'keys must have 1 to 64 characters out of A-Z, a-z, 0-9, _, . and -';
    }
    const problem = valueProblem(value);
    if (problem !== null) return `values ${problem}`;
  }
  const isSmall = JSON.stringify(metadata).length <= maxMetadataJsonLength;
  return isSmall ? null : `must have at most ${maxMetadataJsonLength} characters as JSON`;
}

function valueProblem(value: unknown): string | null {
  if (typeof value === 'boolean') return null;
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'must be finite numbers';
  if (typeof value === 'string') return textProblem(value, maxMetadataLength);
  if (!Array.isArray(value)) return 'must be strings, numbers, booleans or arrays of strings';
  if (value.length > maxMetadataItems) {
    return `that are arrays must have at most ${maxMetadataItems} entries`;
  }
  for (const item of value) {
    if (typeof item !== 'string') return 'that are arrays must contain strings only';
    const problem = textProblem(item, maxMetadataLength);
    if (problem !== null) return problem;
  }
  return null;
}

/** Returns the problem of a text, or null if it is valid. Counts characters after normalization to Unicode NFC. */
function textProblem(given: string, max: number): string | null {
  const text = given.normalize('NFC');
  if (!hasNoNul(text)) return 'must not contain NUL characters';
  if (!isWellFormed(text)) return 'must be well-formed Unicode';
  return hasAtMostCodePoints(max)(text) ? null : `must be at most ${max} characters`;
}

function normalizeMetadata(metadata: DocumentMetadata): DocumentMetadata {
  const normalize = (value: MetadataValue): MetadataValue => {
    if (typeof value === 'string') return value.normalize('NFC');
    return typeof value === 'object' ? value.map((item) => item.normalize('NFC')) : value;
  };
  return Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => [key, normalize(value)]),
  );
}

/** Returns metadata as JSON with sorted keys. Metadata is flat, so no nested keys must be sorted. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(
    isJsonObject(value) ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : value,
  );
}
