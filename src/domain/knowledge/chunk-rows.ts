import type { Chunk } from './chunk-text.ts';
import { type Token, tokenize } from './tokenize.ts';

/** What a chunk is found by in full text. */
export interface ChunkTerms {
  /** The text of a `tsvector`. */
  readonly terms: string;
  /** Tokens, for BM25. */
  readonly length: number;
}

/** What the embedding model reads: a chunk says little without its document and headings. */
export function embeddedText(
  documentName: string,
  chunk: Pick<Chunk, 'context' | 'content'>,
): string {
  return [titleOf(documentName), chunk.context, chunk.content].filter(Boolean).join('\n');
}

/** Terms of name, headings and content, with the project's own lexeme. */
export function chunkTerms(projectId: string, documentName: string, chunk: Chunk): ChunkTerms {
  const tokens = tokenize(embeddedText(documentName, chunk));
  return { terms: `${quote(projectLexeme(projectId))} ${tsvector(tokens)}`, length: tokens.length };
}

/** In no text's terms: these hold no colon. */
export function projectLexeme(projectId: string): string {
  return `project:${projectId}`;
}

function titleOf(documentName: string): string {
  return documentName.replace(/\.[a-z0-9]{1,5}$/i, '').replace(/_+/g, ' ');
}

/** Postgres's own bounds: 255 positions a lexeme, positions to 16,383; more are cut there too, but with a warning. */
function tsvector(tokens: readonly Token[]): string {
  const positions = new Map<string, number[]>();
  for (const [index, token] of tokens.slice(0, 16_383).entries()) {
    for (const term of token) {
      const list = positions.get(term);
      if (!list) positions.set(term, [index + 1]);
      else if (list.length < 255 && list.at(-1) !== index + 1) list.push(index + 1);
    }
  }
  return [...positions].map(([term, list]) => `${quote(term)}:${list.join(',')}`).join(' ');
}

export function quote(term: string): string {
  return `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
