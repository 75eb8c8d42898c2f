import type { ProjectBody } from '../request/read-input.ts';

export interface FilterBody extends ProjectBody {
  /**
   * The documents to search or to answer from. Default: all. In a chat it applies to this message only: send it with
   * each follow-up.
   *
   * All conditions of an object must be true. A key is a field, and its value has one or more operators. Or the key is
   * `and` or `or` with a list of filters, or `not` with a filter.
   *
   * Fields: `tags`, `name`, `externalId`, `sourceUrl`, `sourceId`, `createdAt`, `metadata.<key>`.
   * Operators: `eq`, `ne`, `in`, `nin`, `gt`, `gte`, `lt`, `lte`, `exists`.
   *
   * Numbers are compared as numbers, strings as strings, `createdAt` as a time. A value of another type does not match. A
   * list (`tags`, or a list in the metadata) equals a value if it contains it. A document without the field matches
   * `ne`, `nin` and `not`. At most 5 levels, 50 conditions, 100 values of each `in` and `nin`, and 200 values in all.
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
