import pg from 'pg';

/**
 * Whether the statement itself caused the error, so that any server would refuse it: then the replica is not at fault.
 * Every other error counts against the replica: a lost connection, a shutdown (57P01), a cancellation by the replay of
 * the WAL (40001), missing resources (53) or a database that the replica lacks (3D000).
 */
export function isStatementFault(error: unknown): boolean {
  const code = sqlStateOf(error);
  return code !== null && (faultClasses.has(code.slice(0, 2)) || faultCodes.has(code));
}

/** Whether a replica refused the statement because it writes. */
export function isWriteOnReplica(error: unknown): boolean {
  return sqlStateOf(error) === readOnlyTransaction;
}

/** Errors of Node.js have a `code` as well, such as `EPIPE`, which is no SQLSTATE. */
function sqlStateOf(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.code ?? null) : null;
}

const readOnlyTransaction = '25006';

/**
 * Classes of SQLSTATE: feature not supported, case not found, cardinality, data, integrity constraint, WITH CHECK
 * OPTION, syntax and access rules, limits of the program, and errors that a function raises.
 */
const faultClasses: ReadonlySet<string> = new Set([
  '0A',
  '20',
  '21',
  '22',
  '23',
  '42',
  '44',
  '54',
  'P0',
]);

/** A write, and a statement that was cancelled, usually by its timeout. */
const faultCodes: ReadonlySet<string> = new Set([readOnlyTransaction, '57014']);
