import { isId } from '../../../platform/ids.ts';
import type { SqlValue } from '../../../platform/postgres/run-sql.ts';
import type { Comparison, DocumentFilter, FilterValue } from './document-filter.ts';

/** A condition on the row `d` of `grounded.filterable_documents`, true or false but never null. */
export interface FilterSql {
  readonly sql: string;
  /** The values of its parameters, which follow those before. */
  readonly values: readonly SqlValue[];
}

/** Returns a filter as SQL. `precedingParameters` is the number of parameters of the statement around it. */
export function filterSql(filter: DocumentFilter, precedingParameters: number): FilterSql {
  const values: SqlValue[] = [];
  const add = (value: SqlValue) => `$${precedingParameters + values.push(value)}`;
  return { sql: conditionSql(filter, add), values };
}

/** Adds a value to the parameters and returns its placeholder. */
type AddValue = (value: SqlValue) => string;

function conditionSql(filter: DocumentFilter, add: AddValue): string {
  switch (filter.type) {
    case 'and':
    case 'or':
      return `(${filter.conditions.map((part) => conditionSql(part, add)).join(` ${filter.type} `)})`;
    case 'not':
      return `not ${conditionSql(filter.condition, add)}`;
    default:
      return `(${comparisonSql(filter, add)})`;
  }
}

const columns = { name: 'd.name', externalId: 'd.external_id', sourceUrl: 'd.source_url' } as const;
const operators = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

function comparisonSql(comparison: Comparison, add: AddValue): string {
  const { field } = comparison;
  switch (field.name) {
    case 'metadata':
      return metadataSql(comparison, field.key, add);
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

/** Compares without casts of stored values, because a cast fails on a value of another type. */
function metadataSql(comparison: Comparison, key: string, add: AddValue): string {
  if (comparison.type === 'equal') return metadataEqualSql(comparison.values, key, add);
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

/** More values than this are compared one by one, without the index. */
const maxIndexedValues = 10;

/** Containment, which the GIN index finds: of the value itself, or of a list with the value. */
function metadataEqualSql(values: readonly FilterValue[], key: string, add: AddValue): string {
  const documents = values.flatMap((value) => [
    JSON.stringify({ [key]: value }),
    JSON.stringify({ [key]: [value] }),
  ]);
  if (values.length > maxIndexedValues) return `d.metadata @> any(${add(documents)}::jsonb[])`;
  return documents.map((document) => `d.metadata @> ${add(document)}::jsonb`).join(' or ');
}

function textsOf(values: readonly FilterValue[]): string[] {
  return values.map(String);
}
