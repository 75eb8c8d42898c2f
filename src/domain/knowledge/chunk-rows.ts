import type { Chunk } from './chunk-text.ts';
import { type Token, tokenize } from './tokenize.ts';

export type Passage = Pick<Chunk, 'context' | 'content'>;

/** What a chunk is found by in full text. */
export interface ChunkTerms {
  /** The text of a `tsvector`. */
  readonly terms: string;
  /** How many tokens there are, for BM25. */
  readonly length: number;
}

/** What the embedding model reads: a chunk says little without its document's name and the headings above it. */
export function embeddedText(documentName: string, { context, content }: Passage): string {
  return [titleOf(documentName), context, content].filter(Boolean).join('\n');
}

/**
 * The terms of a chunk, and the project's own lexeme. The document's name counts twice: weighting a field in BM25 is
 * repeating it (Robertson, Zaragoza and Taylor 2004, 'Simple BM25 Extension to Multiple Weighted Fields').
 */
export function chunkTerms(projectId: string, documentName: string, passage: Passage): ChunkTerms {
  const text = `${titleOf(documentName)}\n${embeddedText(documentName, passage)}`;
  const tokens = tokenize(text).slice(0, MOST_TOKENS);
  return {
    terms: `${quoteLexeme(projectLexeme(projectId))} ${positionsOf(tokens)}`,
    length: tokens.length,
  };
}

/** In no text: terms hold no colon. */
export function projectLexeme(projectId: string): string {
  return `project:${projectId}`;
}

/** A lexeme in the text form of `tsvector` and `tsquery`. */
export function quoteLexeme(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

function titleOf(documentName: string): string {
  return documentName
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replaceAll('_', ' ')
    .trim();
}

/** Postgres keeps positions up to 16,383 and 255 of a lexeme; a chunk has some hundred. */
const MOST_TOKENS = 16_383;
const MOST_POSITIONS = 255;

function positionsOf(tokens: readonly Token[]): string {
  const positions = new Map<string, number[]>();
  tokens.forEach((token, index) => {
    for (const term of new Set(token)) {
      const list = positions.get(term);
      if (list === undefined) positions.set(term, [index + 1]);
      else if (list.length < MOST_POSITIONS) list.push(index + 1);
    }
  });
  return [...positions].map(([term, list]) => `${quoteLexeme(term)}:${list.join(',')}`).join(' ');
}
