import type { ProjectBody } from '../request/read-input.ts';

export interface FilterBody extends ProjectBody {
  /**
   * The documents to search or to answer from. Default: all documents. In a chat, the filter applies to this message
   * only, so send it with each follow-up.
   *
   * A filter is an object, and all its conditions must be true. In a condition, the key is a field, and the value
   * contains one or more operators. The key can also be `and` or `or` with a list of filters, or `not` with a filter.
   *
   * Fields: `tags`, `name`, `externalId`, `sourceUrl`, `sourceId`, `createdAt`, `metadata.<key>`. Operators: `eq`,
   * `ne`, `in`, `nin`, `gt`, `gte`, `lt`, `lte`, `exists`.
   *
   * Numbers are compared as numbers, strings as strings, `createdAt` as a time. A value of another type does not match.
   * A list (`tags`, or a list in the metadata) equals a value if the list contains the value. A document without the
   * field matches `ne`, `nin` and `not`. At most 5 levels, 50 conditions, 100 values in each `in` and `nin`, and 200
   * values in total.
   * @example {"tags": {"in": ["hr"]}, "metadata.region": {"eq": "eu"}, "metadata.year": {"gte": 2024}}
   */
  readonly filter?: { [field: string]: unknown };
}

export interface DocumentLink {
  /**
   * Address of the document for readers, `http` or `https`. Null if there is none.
   * @maxLength 2048
   * @example "https://example.com/help/returns"
   */
  readonly sourceUrl: string | null;
  /**
   * Metadata of the document.
   * @example {"region": "eu", "year": 2024}
   */
  readonly metadata: { [key: string]: unknown };
}
