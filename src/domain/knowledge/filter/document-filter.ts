/**
 * A condition on documents. Every condition is true or false, also for a document without the field: an absent value
 * equals nothing and is in no order, so that its negation (`ne`, `nin`, `not`) is true.
 */
export type DocumentFilter =
  | { readonly type: 'and' | 'or'; readonly conditions: readonly DocumentFilter[] }
  | { readonly type: 'not'; readonly condition: DocumentFilter }
  /** Whether no replacement waits for its text, so that the fields describe the published text. */
  | { readonly type: 'current' }
  | Comparison;

export type Comparison =
  | { readonly type: 'exists'; readonly field: FilterField }
  /** Whether the field, or an item of a list, equals one of the values. Times are in ISO 8601, UTC. */
  | { readonly type: 'equal'; readonly field: FilterField; readonly values: readonly FilterValue[] }
  /** Numbers are compared as numbers, texts by code point. A value of another type is in no order. */
  | {
      readonly type: 'order';
      readonly field: FilterField;
      readonly operator: OrderOperator;
      readonly value: number | string;
    };

export type FilterValue = string | number | boolean;

export type OrderOperator = 'gt' | 'gte' | 'lt' | 'lte';

export type FilterField =
  | { readonly name: DocumentField }
  | { readonly name: 'metadata'; readonly key: string };

export type DocumentField = 'tags' | 'name' | 'externalId' | 'sourceUrl' | 'sourceId' | 'createdAt';

/** Returns the filter that matches what all given filters match, or null without any. */
export function allOf(filters: readonly (DocumentFilter | null)[]): DocumentFilter | null {
  const conditions = filters.filter((filter) => filter !== null);
  const [first = null] = conditions;
  return conditions.length <= 1 ? first : { type: 'and', conditions };
}
