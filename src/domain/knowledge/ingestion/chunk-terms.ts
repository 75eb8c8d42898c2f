import type { Chunk } from '../../../extract/chunks/chunk-text.ts';
import type { Token } from '../../../text/split-words.ts';
import { tokenize } from '../../../text/tokenize.ts';

export type Passage = Pick<Chunk, 'context' | 'content'>;

/** Full-text index entry of a chunk. */
export interface ChunkTerms {
  /** The text form of a `tsvector`. */
  readonly terms: string;
  /** Number of tokens, for BM25. */
  readonly length: number;
}

/**
 * Returns the text to embed for a chunk. Includes the document's name and headings, because they are the context of the
 * chunk.
 */
export function embeddingInput(documentName: string, { context, content }: Passage): string {
  return [documentTitle(documentName), context, content].filter(Boolean).join('\n');
}

/**
 * Returns the terms of a chunk, plus the project's lexeme. The document's name is included twice, which doubles its
 * weight in BM25 (Robertson, Zaragoza and Taylor 2004, 'Simple BM25 Extension to Multiple Weighted Fields').
 */
export function chunkTerms(projectId: string, documentName: string, passage: Passage): ChunkTerms {
  const text = `${documentTitle(documentName)}\n${embeddingInput(documentName, passage)}`;
  const tokens = tokenize(text).slice(0, maxTokens);
  return {
    terms: `${quoteLexeme(projectLexeme(projectId))} ${toTsvector(tokens)}`,
    length: tokens.length,
  };
}

/**
 * Returns the lexeme that restricts index scans to a project. It contains a colon. The terms of texts never contain a
 * colon, so no word can match this lexeme.
 */
export function projectLexeme(projectId: string): string {
  return `project:${projectId}`;
}

/** Quotes a lexeme for the text form of `tsvector` and `tsquery`. */
export function quoteLexeme(lexeme: string): string {
  if (!/['\\]/.test(lexeme)) return `'${lexeme}'`;
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

export function documentTitle(documentName: string): string {
  return documentName
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replaceAll('_', ' ')
    .trim();
}

/**
 * Postgres limits the positions in a `tsvector`, and the number of positions per lexeme. A chunk has only a few hundred
 * tokens.
 */
const maxTokens = 16_383;
const maxPositionsPerLexeme = 255;

function toTsvector(tokens: readonly Token[]): string {
  /** For each term: its number of positions, and the positions in text form. */
  const terms = new Map<string, { count: number; positions: string }>();
  let position = 0;
  for (const token of tokens) {
    position += 1;
    for (const term of token.length === 1 ? token : new Set(token)) {
      const found = terms.get(term);
      if (found === undefined) terms.set(term, { count: 1, positions: `${position}` });
      else if (found.count < maxPositionsPerLexeme) {
        found.count += 1;
        found.positions += `,${position}`;
      }
    }
  }
  let vector = '';
  for (const [term, { positions }] of terms) vector += ` ${quoteLexeme(term)}:${positions}`;
  return vector.slice(1);
}
