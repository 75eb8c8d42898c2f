/**
 * A condition on documents. Every condition is either true or false, also for a document that lacks the field. A
 * missing value is not equal to any value, and neither less nor greater than any value. Therefore the negations `ne`,
 * `nin` and `not` are true for a missing value.
 */
export type DocumentFilter =
  | { readonly type: 'and' | 'or'; readonly conditions: readonly DocumentFilter[] }
  | { readonly type: 'not'; readonly condition: DocumentFilter }
  /**
   * False while the text of a replacement is not published yet. True means that the fields describe the published text.
   */
  | { readonly type: 'current' }
  /** True for all documents but these. Callers cannot send it. */
  | { readonly type: 'except'; readonly documentIds: readonly string[] }
  | Comparison;

export type Comparison =
  | { readonly type: 'exists'; readonly field: FilterField }
  /**
   * True if the field equals one of the values. If the field is a list, one item must equal one of the values. Times
   * are ISO 8601, UTC.
   */
  | { readonly type: 'equal'; readonly field: FilterField; readonly values: readonly FilterValue[] }
  /** Compares numbers as numbers, and texts by code point. False if the stored value has another type. */
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

/** Returns a filter that requires all given filters, or null if there are none. */
export function allOf(filters: readonly (DocumentFilter | null)[]): DocumentFilter | null {
  const conditions = filters.filter((filter) => filter !== null);
  const [first = null] = conditions;
  return conditions.length <= 1 ? first : { type: 'and', conditions };
}
