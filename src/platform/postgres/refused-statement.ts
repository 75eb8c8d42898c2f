/**
 * Whether Postgres refused a statement because of its values, or rolled the statement back because of a deadlock, a
 * statement timeout or a lock timeout. In both cases nothing is stored, and a part of the statement may succeed. Reads
 * the SQLSTATE, which other errors do not have.
 */
export function isRefusedStatement(error: unknown): boolean {
  return /^(?:(?:22|23|40)\w{3}|57014|55P03)$/.test(sqlStateOf(error));
}

/** Whether Postgres refused the values of a statement, so that a repetition cannot succeed either. */
export function isInvalidData(error: unknown): boolean {
  return /^2[23]\w{3}$/.test(sqlStateOf(error));
}

function sqlStateOf(error: unknown): string {
  const code: unknown = error instanceof Error && Reflect.get(error, 'code');
  return typeof code === 'string' ? code : '';
}
