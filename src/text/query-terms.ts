import { dayTerms } from './days.ts';
import { tokenize } from './tokenize.ts';

/**
 * Returns the distinct terms of a query, in order, at most `limit`. A day is also searched in the other writings of
 * documents (`dayTerms`).
 */
export function queryTerms(text: string, limit = 64): string[] {
  return [...new Set([...tokenize(text).flat(), ...dayTerms(text)])].slice(0, limit);
}
