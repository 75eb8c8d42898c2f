/**
 * Where Prisma cannot say it: one statement, with parameters `$1` … `$n`. Implemented over a pool's client and over a
 * Prisma transaction. Rows are as the driver gives them: whoever asks narrows the columns.
 */
export interface Sql {
  query(text: string, values: readonly SqlValue[]): Promise<Record<string, unknown>[]>;
}

/** Values that every driver sends alike; arrays become Postgres arrays. */
export type SqlValue =
  | string
  | number
  | null
  | readonly string[]
  | readonly number[]
  | readonly (number | null)[];
