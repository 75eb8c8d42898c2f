import { DomainError } from '../../../platform/errors.ts';
import { isJsonObject } from '../../../platform/is-json-object.ts';
import type { DocumentFilter } from './document-filter.ts';
import { FilterProblem, parseFieldConditions } from './parse-comparison.ts';

/** Maximum nesting of objects with conditions. A filter without `and`, `or` and `not` has depth 1. */
const maxFilterDepth = 5;
/** Maximum number of comparisons in a filter. */
const maxFilterConditions = 50;
/**
 * Maximum number of values in all comparisons of a filter together. Limited because each value is compared with each
 * document.
 */
const maxAllValues = 200;

/**
 * Returns the filter that a caller sent as JSON, or null if there is none.
 *
 * @throws DomainError VALIDATION_FAILED with the place of the first problem.
 */
export function parseFilter(json: unknown): DocumentFilter | null {
  if (json === null || json === undefined) return null;
  try {
    return parseConditions(json, 'filter', { depth: 1, state: { conditions: 0, values: 0 } });
  } catch (error) {
    if (!(error instanceof FilterProblem)) throw error;
    throw new DomainError('VALIDATION_FAILED', [error.message]);
  }
}

interface Position {
  readonly depth: number;
  /** Counters that all positions of one filter share. */
  readonly state: { conditions: number; values: number };
}

/** Parses an object. All its conditions must be true. */
function parseConditions(json: unknown, place: string, position: Position): DocumentFilter {
  if (!isJsonObject(json)) throw new FilterProblem(`${place} must be an object`);
  if (position.depth > maxFilterDepth) {
    throw new FilterProblem(`${place} must not be nested deeper than ${maxFilterDepth} levels`);
  }
  const conditions = Object.entries(json).flatMap(([name, value]) =>
    parseEntry(name, value, place, position),
  );
  const [first] = conditions;
  if (first === undefined) throw new FilterProblem(`${place} must have at least one condition`);
  return conditions.length === 1 ? first : { type: 'and', conditions };
}

function parseEntry(
  name: string,
  value: unknown,
  place: string,
  { depth, state }: Position,
): DocumentFilter[] {
  const inner = { depth: depth + 1, state };
  if (name === 'not') {
    return [{ type: 'not', condition: parseConditions(value, `${place}.not`, inner) }];
  }
  if (name === 'and' || name === 'or') {
    const list = `${place}.${name}`;
    if (!Array.isArray(value) || value.length === 0) {
      throw new FilterProblem(`${list} must be a list with at least one condition`);
    }
    const conditions = value.map((item, index) =>
      parseConditions(item, `${list}[${index}]`, inner),
    );
    return [{ type: name, conditions }];
  }
  const comparisons = parseFieldConditions(name, value, place);
  state.conditions += comparisons.length;
  if (state.conditions > maxFilterConditions) {
    throw new FilterProblem(`filter must have at most ${maxFilterConditions} conditions`);
  }
  state.values += valueCount({ type: 'and', conditions: comparisons });
  if (state.values > maxAllValues) {
    throw new FilterProblem(
      `${place}.${name} has too many values: a filter must have at most ${maxAllValues}`,
    );
  }
  return comparisons;
}

function valueCount(condition: DocumentFilter): number {
  switch (condition.type) {
    case 'and':
    case 'or':
      return condition.conditions.reduce((sum, part) => sum + valueCount(part), 0);
    case 'not':
      return valueCount(condition.condition);
    case 'equal':
      return condition.values.length;
    default:
      return 1;
  }
}
