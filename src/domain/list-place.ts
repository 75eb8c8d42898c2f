import { DomainError } from '../platform/errors.ts';
import { isId } from '../platform/ids.ts';
import { earliestMs, latestMs } from '../platform/iso-time.ts';

/** The columns by which lists are sorted, with their names and types in SQL. */
const sortColumns = {
  createdAt: { name: 'created_at', type: 'timestamptz' },
  lastMessageAt: { name: 'last_message_at', type: 'timestamptz' },
  requestedAt: { name: 'requested_at', type: 'timestamptz' },
  ratedAt: { name: 'rated_at', type: 'timestamptz' },
  email: { name: 'email', type: 'text' },
  name: { name: 'name', type: 'text' },
  sizeBytes: { name: 'size_bytes', type: 'bigint' },
  position: { name: 'position', type: 'integer' },
  id: { name: 'id', type: 'uuid' },
  handoffId: { name: 'handoff_id', type: 'uuid' },
} as const;
type SortColumn = keyof typeof sortColumns;
const sortColumnNames = Object.keys(sortColumns) as SortColumn[];

type PlaceValue = Date | string | number;

/** The sort keys of a list, all in one direction. The last one is unique in the list. */
export type SortKeys = readonly Readonly<Partial<Record<SortColumn, 'asc' | 'desc'>>>[];

/** A part of a list: `take` rows after `cursor`, or before it if `take` is negative. `skip` counts without a cursor. */
export interface ListPart {
  readonly cursor?: object;
  readonly take?: number;
  readonly skip?: number;
}

/**
 * Returns the arguments of Prisma's `findMany` for a part of a list. The cursor becomes a condition on the sort columns,
 * so the list continues at this place even if the row was deleted or has moved. Prisma's own cursors look the row up:
 * without it, they select nothing.
 */
export function selectPart<Where extends object, Keys extends SortKeys>(
  part: ListPart,
  where: Where,
  keys: Keys,
) {
  const { cursor, take, skip } = part;
  const orderBy: Keys[number][] = [...keys];
  if (cursor === undefined) return { take, skip, where: { AND: [where] }, orderBy };
  const { columns, isAscending, isBackward } = readKeys(part, keys);
  const place = placeOf(cursor, columns, isBackward);
  // The condition has the columns of `where`'s table, which only the caller's types know.
  const beyond = beyondPlace(columns, place, isAscending === isBackward ? 'lt' : 'gt') as Where;
  return { take, skip: 0, where: { AND: [where, beyond] }, orderBy };
}

/** A part of a list in SQL. A part before a cursor is read in reverse. */
interface PartSql {
  readonly where: string;
  readonly orderBy: string;
  readonly isReversed: boolean;
  /** Values of the parameters in `where`. */
  readonly values: readonly string[];
}

/**
 * Returns what `selectPart` does, as SQL. The numbers of the parameters follow `precedingParameters`.
 * @throws DomainError VALIDATION_FAILED for a cursor of another list
 */
export function partSql(part: ListPart, keys: SortKeys, precedingParameters: number): PartSql {
  const { columns, isAscending, isBackward } = readKeys(part, keys);
  const direction = isAscending === isBackward ? 'desc' : 'asc';
  const orderBy = columns.map((column) => `${sortColumns[column].name} ${direction}`).join(', ');
  if (part.cursor === undefined)
    return { where: 'true', orderBy, isReversed: isBackward, values: [] };
  const place = placeOf(part.cursor, columns, isBackward);
  const names = columns.map((column) => sortColumns[column].name);
  const values = columns.map(
    (column, index) => `$${precedingParameters + index + 1}::text::${sortColumns[column].type}`,
  );
  return {
    where: `(${names.join(', ')}) ${direction === 'asc' ? '>' : '<'} (${values.join(', ')})`,
    orderBy,
    isReversed: isBackward,
    values: place.map((value) => (value instanceof Date ? value.toISOString() : String(value))),
  };
}

function readKeys({ take }: ListPart, keys: SortKeys) {
  const columns = keys.flatMap((key) => sortColumnNames.filter((column) => column in key));
  const isAscending = keys.some((key) => Object.values(key).includes('asc'));
  return { columns, isAscending, isBackward: (take ?? 0) < 0 };
}

/**
 * Returns the values that a cursor has for the sort columns of a list.
 * @throws DomainError VALIDATION_FAILED for a cursor of another list
 */
function placeOf(
  cursor: object,
  columns: readonly SortColumn[],
  isBackward: boolean,
): PlaceValue[] {
  const place = new Map(Object.entries('place' in cursor ? Object(cursor.place) : cursor));
  return columns.map((column) => {
    const value = place.get(column);
    if (isOfType(sortColumns[column].type, value)) return value;
    throw new DomainError(
      'VALIDATION_FAILED',
      `${isBackward ? 'before' : 'after'} must be a cursor of this list`,
    );
  });
}

/** The first condition alone limits the part of an index that Postgres reads. */
function beyondPlace(
  [first, ...rest]: readonly SortColumn[],
  [value, ...values]: readonly PlaceValue[],
  operator: 'lt' | 'gt',
): object {
  if (first === undefined) return {};
  const [tie] = rest;
  if (tie === undefined) return { [first]: { [operator]: value } };
  return {
    [first]: { [`${operator}e`]: value },
    OR: [{ [first]: { [operator]: value } }, { [tie]: { [operator]: values[0] } }],
  };
}

function isOfType(
  type: (typeof sortColumns)[SortColumn]['type'],
  value: unknown,
): value is PlaceValue {
  if (type === 'timestamptz') {
    return value instanceof Date && Number(value) >= earliestMs && Number(value) <= latestMs;
  }
  if (type === 'integer') return Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31;
  if (type === 'bigint') return Number.isSafeInteger(value);
  return typeof value === 'string' && (type === 'text' ? !value.includes('\0') : isId(value));
}
