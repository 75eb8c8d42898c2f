import type {
  Comparison,
  DocumentFilter,
  FilterValue,
} from '../../../src/domain/knowledge/filter/document-filter.ts';

/** The fields of a document that filters can use. The metadata may be any JSON. */
export interface FilterableDocument {
  readonly name: string;
  readonly externalId: string | null;
  readonly sourceUrl: string | null;
  readonly sourceId: string | null;
  readonly tags: readonly string[];
  readonly createdAt: Date;
  readonly metadata: unknown;
}

/** Returns whether the filter matches the document. Serves as the reference implementation of filters. */
export function matchesFilter(filter: DocumentFilter, document: FilterableDocument): boolean {
  switch (filter.type) {
    case 'and':
      return filter.conditions.every((condition) => matchesFilter(condition, document));
    case 'or':
      return filter.conditions.some((condition) => matchesFilter(condition, document));
    case 'not':
      return !matchesFilter(filter.condition, document);
    case 'current':
    case 'except':
      throw new Error('Callers cannot send this condition');
    default:
      return compares(filter, storedValue(filter, document));
  }
}

function compares(comparison: Comparison, value: unknown): boolean {
  if (comparison.type === 'exists') {
    return Array.isArray(value) && comparison.field.name === 'tags'
      ? value.length > 0
      : value !== null && value !== undefined;
  }
  if (comparison.type === 'equal') {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    return items.some((item) => comparison.values.some((wanted) => item === wanted));
  }
  if (typeof value !== typeof comparison.value) return false;
  const sign = compareValues(value as FilterValue, comparison.value);
  return { gt: sign > 0, gte: sign >= 0, lt: sign < 0, lte: sign <= 0 }[comparison.operator];
}

function storedValue({ field }: Comparison, document: FilterableDocument): unknown {
  if (field.name === 'createdAt') return document.createdAt.toISOString();
  if (field.name !== 'metadata') return document[field.name];
  const { metadata } = document;
  const isObject = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata);
  return isObject && Object.hasOwn(metadata, field.key)
    ? (metadata as Record<string, unknown>)[field.key]
    : undefined;
}

/** Compares texts by code point. This order equals the order of their UTF-8 bytes. */
function compareValues(left: FilterValue, right: FilterValue): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)));
}
