import type { Chunk } from '../../../extract/chunks/chunk-text.ts';
import { type Token, tokenize } from '../../../text/tokenize.ts';

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
  const positions = new Map<string, number[]>();
  tokens.forEach((token, index) => {
    for (const term of token.length === 1 ? token : new Set(token)) {
      const list = positions.get(term);
      if (list === undefined) positions.set(term, [index + 1]);
      else if (list.length < maxPositionsPerLexeme) list.push(index + 1);
    }
  });
  return [...positions].map(([term, list]) => `${quoteLexeme(term)}:${list.join(',')}`).join(' ');
}
