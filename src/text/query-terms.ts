import { dayTerms } from './days.ts';
import { tokenize } from './tokenize.ts';

/**
 * Returns up to `limit` distinct terms of a query, in order. For a day, also returns terms for the other forms in which
 * documents write it (`dayTerms`).
 */
export function queryTerms(text: string, limit = 64): string[] {
  return [...new Set([...tokenize(text).flat(), ...dayTerms(text)])].slice(0, limit);
}
