import { isJsonObject } from '../../../platform/is-json-object.ts';
import { parseIsoDateOrTime } from '../../../text/iso-date-time.ts';
import { hasAtMostCodePoints, hasNoNul, isWellFormed } from '../../../text/text-rules.ts';
import type {
  Comparison,
  DocumentField,
  DocumentFilter,
  FilterField,
  FilterValue,
  OrderOperator,
} from './document-filter.ts';

/** Describes an error in a filter: its place, such as `filter.and[1].tags.in`, and the problem. */
export class FilterProblem extends Error {}

/** Maximum number of values in one `in` or `nin`. */
const maxFilterValues = 100;
const maxTextLength = 2_048;

/**
 * Parses the operators of one field, such as `{"gte": 2020, "lt": 2024}`. Returns one condition per operator.
 * @throws FilterProblem
 */
export function parseFieldConditions(
  name: string,
  json: unknown,
  parent: string,
): DocumentFilter[] {
  const field = findField(name);
  if (field === null) {
    throw new FilterProblem(
      `${parent}.${shown(name)} is not a field: use ${fieldNames.join(', ')}, metadata.<key>, and, or, not`,
    );
  }
  const place = `${parent}.${name}`;
  if (!isJsonObject(json)) {
    throw new FilterProblem(`${place} must be an object with an operator, such as {"eq": …}`);
  }
  const entries = Object.entries(json);
  if (entries.length === 0) throw new FilterProblem(`${place} must have at least one operator`);
  return entries.map(([operator, value]) => parseOperator(field, operator, value, place));
}

const kinds = {
  tags: 'list',
  name: 'text',
  externalId: 'text',
  sourceUrl: 'text',
  sourceId: 'id',
  createdAt: 'time',
} as const satisfies Record<DocumentField, string>;
const fieldNames = Object.keys(kinds);

function findField(name: string): FilterField | null {
  const [, key] = /^metadata\.([A-Za-z0-9_.-]{1,64})$/.exec(name) ?? [];
  if (key !== undefined) return { name: 'metadata', key };
  return Object.hasOwn(kinds, name) ? { name: name as DocumentField } : null;
}

function parseOperator(
  field: FilterField,
  operator: string,
  json: unknown,
  parent: string,
): DocumentFilter {
  const place = `${parent}.${shown(operator)}`;
  switch (operator) {
    case 'eq':
      return equal(field, [json], place);
    case 'ne':
      return { type: 'not', condition: equal(field, [json], place) };
    case 'in':
      return equal(field, listOf(json, place), place);
    case 'nin':
      return { type: 'not', condition: equal(field, listOf(json, place), place) };
    case 'exists':
      if (typeof json !== 'boolean') throw new FilterProblem(`${place} must be true or false`);
      return json
        ? { type: 'exists', field }
        : { type: 'not', condition: { type: 'exists', field } };
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return order(field, operator, json, place);
    default:
      throw new FilterProblem(
        `${place} is not an operator: use eq, ne, in, nin, gt, gte, lt, lte or exists`,
      );
  }
}

function listOf(json: unknown, place: string): readonly unknown[] {
  if (Array.isArray(json) && json.length > 0 && json.length <= maxFilterValues) return json;
  throw new FilterProblem(`${place} must be a list of 1 to ${maxFilterValues} values`);
}

function equal(field: FilterField, values: readonly unknown[], place: string): Comparison {
  return { type: 'equal', field, values: values.map((value) => parseValue(field, value, place)) };
}

function order(
  field: FilterField,
  operator: OrderOperator,
  json: unknown,
  place: string,
): Comparison {
  if (field.name === 'tags' || field.name === 'sourceId') {
    throw new FilterProblem(`${place} is not possible: ${field.name} has no order`);
  }
  const value = parseValue(field, json, place);
  if (typeof value === 'boolean') {
    throw new FilterProblem(`${place} must be a number or a string`);
  }
  return { type: 'order', field, operator, value };
}

function parseValue(field: FilterField, json: unknown, place: string): FilterValue {
  if (typeof json === 'string') requireText(json, place);
  const kind = field.name === 'metadata' ? 'any' : kinds[field.name];
  if (kind === 'time') return parseTime(json, place);
  if (typeof json === 'string') return json.normalize('NFC');
  if (kind !== 'any') throw new FilterProblem(`${place} must be a string`);
  if (typeof json === 'boolean' || (typeof json === 'number' && Number.isFinite(json))) return json;
  throw new FilterProblem(`${place} must be a string, a number, true or false`);
}

function requireText(text: string, place: string): void {
  if (!hasNoNul(text)) throw new FilterProblem(`${place} must not contain NUL characters`);
  if (!isWellFormed(text)) throw new FilterProblem(`${place} must be well-formed Unicode`);
  if (!hasAtMostCodePoints(maxTextLength)(text)) {
    throw new FilterProblem(`${place} must be at most ${maxTextLength} characters`);
  }
}

/** Returns the time as ISO 8601 in UTC. Refuses years outside 1 to 9999, because Postgres could not read their text. */
function parseTime(json: unknown, place: string): string {
  const date = typeof json === 'string' ? parseIsoDateOrTime(json) : null;
  const year = date?.getUTCFullYear() ?? 0;
  if (date === null || year < 1 || year > 9999) {
    throw new FilterProblem(
      `${place} must be an ISO 8601 date or time with a time zone, such as 2026-11-21T09:30:00Z`,
    );
  }
  return date.toISOString();
}

/** Makes a name from the caller short and printable, so that an error message can contain it. */
function shown(name: string): string {
  return name.replace(/[^\w.-]/g, '?').slice(0, 64);
}
