/**
 * Returns the service's error messages by form field, or null if a message belongs to none of the fields.
 *
 * @param fields Maps the service's field names to those of the form. A message starts with the service's name, as in
 *   "url must be an https address".
 */
export function fieldErrors(
  messages: readonly string[],
  fields: Readonly<Record<string, string>>,
): Record<string, string> | null {
  const errors = messages.map((message) => {
    const name = Object.keys(fields).find((name) => message.startsWith(`${name} `));
    const field = name === undefined ? undefined : fields[name];
    if (name === undefined || field === undefined) return null;
    const detail = message.slice(name.length + 1);
    return [field, detail.charAt(0).toUpperCase() + detail.slice(1)] as const;
  });
  return errors.some((error) => error === null)
    ? null
    : Object.fromEntries(errors.filter((error) => error !== null));
}
