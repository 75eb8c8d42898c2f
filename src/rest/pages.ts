import type { ProjectQuery } from './project-rule.ts';

/** Which page of a project's list. */
export interface PageQuery extends ProjectQuery {
  /**
   * The page, counted from 1.
   * @isInt
   * @minimum 1
   * @maximum 1000000
   * @default 1
   */
  readonly page?: number;
  /**
   * How many a page has.
   * @isInt
   * @minimum 1
   * @maximum 100
   * @default 20
   */
  readonly limit?: number;
}

/** What a page says of itself beside its `data`. */
export interface PageFields {
  /**
   * The page this is, counted from 1.
   * @isInt
   * @minimum 1
   * @maximum 1000000
   * @example 1
   */
  readonly page: number;
  /**
   * The most that a page has.
   * @isInt
   * @minimum 1
   * @maximum 100
   * @example 20
   */
  readonly limit: number;
  /**
   * How many there are on all pages.
   * @isInt
   * @minimum 0
   * @example 42
   */
  readonly total: number;
  /**
   * How many pages there are.
   * @isInt
   * @minimum 0
   * @example 3
   */
  readonly totalPages: number;
  /**
   * Whether a further page follows this one.
   * @example true
   */
  readonly hasMore: boolean;
}

export const pageFields = 'page limit total totalPages hasMore';
