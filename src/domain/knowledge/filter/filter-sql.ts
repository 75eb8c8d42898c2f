import { isId } from '../../../platform/ids.ts';
import type { SqlValue } from '../../../platform/postgres/run-sql.ts';
import type { Comparison, DocumentFilter, FilterValue } from './document-filter.ts';

/** SQL of a condition on the row `d` of `grounded.filterable_documents`. The condition is true or false, never null. */
export interface FilterSql {
  readonly sql: string;
  /** Values of the parameters in `sql`. Their numbers follow `precedingParameters`. */
  readonly values: readonly SqlValue[];
}

/**
 * Converts a filter to SQL. `precedingParameters` is the number of parameters that the surrounding statement already
 * has.
 */
export function filterSql(filter: DocumentFilter, precedingParameters: number): FilterSql {
  const values: SqlValue[] = [];
  const add = (value: SqlValue) => `$${precedingParameters + values.push(value)}`;
  let indexed = 0;
  const reserveIndex = (count: number) => {
    if (indexed + count > maxIndexedValues) return false;
    indexed += count;
    return true;
  };
  return { sql: conditionSql(filter, { add, reserveIndex }), values };
}

/** Adds a value to the parameters and returns its placeholder. */
type AddValue = (value: SqlValue) => string;

interface Statement {
  readonly add: AddValue;
  /**
   * Reserves the index for `count` more metadata values. Returns false if the filter would then have too many values
   * for the index. In this case, these values must be compared without the index.
   */
  readonly reserveIndex: (count: number) => boolean;
}

function conditionSql(filter: DocumentFilter, statement: Statement): string {
  switch (filter.type) {
    case 'and':
    case 'or':
      return `(${filter.conditions.map((part) => conditionSql(part, statement)).join(` ${filter.type} `)})`;
    case 'not':
      // An index cannot find rows that do not match, so conditions inside `not` do not use it.
      return `not ${conditionSql(filter.condition, { ...statement, reserveIndex: () => false })}`;
    case 'current':
      return 'coalesce(d.published_version, 1) = d.version';
    case 'except':
      return `d.id <> all (${statement.add([...filter.documentIds])}::uuid[])`;
    default:
      return `(${comparisonSql(filter, statement)})`;
  }
}

const columns = { name: 'd.name', externalId: 'd.external_id', sourceUrl: 'd.source_url' } as const;
const operators = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

function comparisonSql(comparison: Comparison, statement: Statement): string {
  const { field } = comparison;
  const { add } = statement;
  switch (field.name) {
    case 'metadata':
      return comparison.type === 'equal'
        ? metadataEqualSql(comparison.values, field.key, statement)
        : metadataSql(comparison, field.key, add);
    case 'tags':
      return comparison.type === 'equal'
        ? `d.tags && ${add(textsOf(comparison.values))}::text[]`
        : 'd.tags <> array[]::text[]';
    case 'sourceId':
      return comparison.type === 'equal'
        ? `d.source_id is not null and d.source_id = any(${add(textsOf(comparison.values).filter(isId))}::uuid[])`
        : 'd.source_id is not null';
    case 'createdAt':
      return timeSql(comparison, add);
    default:
      return textSql(comparison, columns[field.name], add);
  }
}

function timeSql(comparison: Comparison, add: AddValue): string {
  switch (comparison.type) {
    case 'exists':
      return 'true';
    case 'equal':
      return `d.created_at = any(${add(textsOf(comparison.values))}::timestamptz[])`;
    case 'order':
      return `d.created_at ${operators[comparison.operator]} ${add(comparison.value)}::timestamptz`;
  }
}

function textSql(comparison: Comparison, column: string, add: AddValue): string {
  switch (comparison.type) {
    case 'exists':
      return `${column} is not null`;
    case 'equal':
      return `${column} is not null and ${column} = any(${add(textsOf(comparison.values))}::text[])`;
    case 'order':
      return `${column} is not null
        and ${column} collate "C" ${operators[comparison.operator]} ${add(comparison.value)}::text`;
  }
}

/** Compares metadata without casting stored values, because a cast fails if the value has another type. */
function metadataSql(
  comparison: Exclude<Comparison, { type: 'equal' }>,
  key: string,
  add: AddValue,
): string {
  const value = `(d.metadata -> ${add(key)}::text)`;
  if (comparison.type === 'exists') return `coalesce(jsonb_typeof(${value}) <> 'null', false)`;
  const operator = operators[comparison.operator];
  if (typeof comparison.value === 'number') {
    const number = `${add(JSON.stringify(comparison.value))}::jsonb`;
    return `coalesce(jsonb_typeof(${value}) = 'number' and ${value} ${operator} ${number}, false)`;
  }
  const text = `(${value} #>> '{}') collate "C" ${operator} ${add(comparison.value)}::text`;
  return `coalesce(jsonb_typeof(${value}) = 'string' and ${text}, false)`;
}

/**
 * Maximum number of metadata values in one filter that are compared in the form that the index supports. If Postgres
 * does not use the index, this form is slow: for each value, it reads the whole metadata of a document twice.
 */
const maxIndexedValues = 10;

/**
 * Compares with the JSON containment operator `@>`: a value contains itself, and a list contains its items. With the
 * index: finds documents whose key has the value, or has a list with the value. Without the index: reads the value of
 * the key once and compares it.
 */
function metadataEqualSql(
  values: readonly FilterValue[],
  key: string,
  { add, reserveIndex }: Statement,
): string {
  if (!reserveIndex(values.length)) {
    const wanted = add(values.map((value) => JSON.stringify(value)));
    return `coalesce((d.metadata -> ${add(key)}::text) @> any(${wanted}::jsonb[]), false)`;
  }
  return values
    .flatMap((value) => [{ [key]: value }, { [key]: [value] }])
    .map((document) => `d.metadata @> ${add(JSON.stringify(document))}::jsonb`)
    .join(' or ');
}

function textsOf(values: readonly FilterValue[]): string[] {
  return values.map(String);
}
