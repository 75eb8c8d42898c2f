import { scopes as allScopes, type Scope } from './api-key-scopes.ts';

/** Scopes that a key with a filter cannot have, because they allow access to documents outside the filter. */
const scopesWithoutFilter: readonly Scope[] = ['KNOWLEDGE_WRITE', 'WEBHOOKS_WRITE'];

/**
 * Returns what is wrong with the filter text of a key, or null. The service checks the fields and operators of the
 * filter.
 */
export function filterProblem(text: string, scopes: readonly Scope[]): string | null {
  if (text.trim() === '') return null;
  if (!isJsonObject(text)) return 'Enter a JSON object, such as {"tags": {"in": ["public"]}}';
  const refused = scopesWithoutFilter.filter((scope) => scopes.includes(scope));
  if (refused.length === 0) return null;
  const names = refused.map((scope) => allScopes[scope].name).join(' and ');
  return `A key with a filter cannot have the scope ${names}`;
}

/** Returns the filter, or null for an empty text. */
export function parseFilterText(text: string): unknown {
  return text.trim() === '' ? null : JSON.parse(text);
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
