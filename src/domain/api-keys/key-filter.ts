import { isDeepStrictEqual } from 'node:util';
import { DomainError } from '../../platform/errors.ts';
import type { ApiKeyScope } from '../../platform/postgres/generated/prisma/enums.ts';
import type { Caller } from '../caller.ts';
import { parseFilter } from '../knowledge/filter/parse-filter.ts';
import { isForbiddenWithFilter, scopeName } from '../permissions.ts';

/** Limited because each request reads the filter of its key. */
const maxFilterJsonLength = 10_000;

/**
 * Returns the filter of a new key as JSON, or null if the key has no filter. If the calling key has a filter, the new
 * key must satisfy both filters.
 *
 * @throws DomainError VALIDATION_FAILED when the filter is not valid, too long, or does not allow one of the scopes.
 */
export function newKeyFilter(
  caller: Caller,
  { filter: given, scopes }: { readonly filter?: unknown; readonly scopes: readonly ApiKeyScope[] },
): object | null {
  const inherited = caller.type === 'key' ? caller.filter : null;
  if (given != null) parseFilter(given);
  const filter =
    given != null && inherited !== null ? { and: [inherited, given] } : (given ?? inherited);
  if (parseFilter(filter) === null) return null;
  if (JSON.stringify(filter).length > maxFilterJsonLength) {
    throw new DomainError('VALIDATION_FAILED', [
      `filter must be at most ${maxFilterJsonLength} characters as JSON`,
    ]);
  }
  const forbidden = scopes.filter(isForbiddenWithFilter).map((scope) => scopeName(scope));
  if (forbidden.length > 0) {
    throw new DomainError('VALIDATION_FAILED', [
      `scopes must not contain ${forbidden.join(' and ')} if the key has a filter`,
    ]);
  }
  return filter as object;
}

/**
 * For rotation, which gives the caller the new secret: refuses a key that sees documents which the calling key does not
 * see. A key that was created with `newKeyFilter` never sees more than its creator.
 *
 * @throws DomainError FORBIDDEN
 */
export function requireFilterWithinCaller(caller: Caller, filter: unknown): void {
  if (caller.type !== 'key' || caller.filter === null) return;
  const parts = [filter, ...andPartsOf(filter)];
  if (parts.some((part) => isDeepStrictEqual(part, caller.filter))) return;
  throw new DomainError(
    'FORBIDDEN',
    'The API key has a filter: it rotates only keys that have it too',
  );
}

function andPartsOf(filter: unknown): readonly unknown[] {
  const isAnd = typeof filter === 'object' && filter !== null && 'and' in filter;
  return isAnd && Array.isArray(filter.and) ? filter.and : [];
}
