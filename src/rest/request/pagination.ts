import type { ProjectQuery } from './read-input.ts';

/** Query parameters that select a page of a list. */
export interface PageQuery extends ProjectQuery {
  /**
   * Number of the page, counted from 1.
   * @isInt
   * @minimum 1
   * @maximum 1000000
   * @default 1
   */
  readonly page?: number;
  /**
   * Number of entries per page.
   * @isInt
   * @minimum 1
   * @maximum 100
   * @default 20
   */
  readonly limit?: number;
}

/** The fields of every page in addition to `data`. */
export interface PageFields {
  /**
   * Number of this page, counted from 1.
   * @isInt
   * @minimum 1
   * @maximum 1000000
   * @example 1
   */
  readonly page: number;
  /**
   * Maximum number of entries per page.
   * @isInt
   * @minimum 1
   * @maximum 100
   * @example 20
   */
  readonly limit: number;
  /**
   * Number of entries on all pages.
   * @isInt
   * @minimum 0
   * @example 42
   */
  readonly total: number;
  /**
   * Number of pages.
   * @isInt
   * @minimum 0
   * @example 3
   */
  readonly totalPages: number;
  /**
   * Whether there is a next page.
   * @example true
   */
  readonly hasMore: boolean;
}

export const pageFields = 'page limit total totalPages hasMore';
