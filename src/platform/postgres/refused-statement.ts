/**
 * Whether Postgres refused a statement because of its values, or rolled it back because of a deadlock, a timeout of the
 * statement or a timeout of a lock, so that nothing is stored and a part of it may succeed. Reads the SQLSTATE, which
 * other errors do not have.
 */
export function isRefusedStatement(error: unknown): boolean {
  const code = error instanceof Error && Reflect.get(error, 'code');
  return typeof code === 'string' && /^(?:(?:22|23|40)\w{3}|57014|55P03)$/.test(code);
}
