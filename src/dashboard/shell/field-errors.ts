/**
 * What the service says of fields, by the names that a form has for them: `fields` gives them for those of the service,
 * such as `url` in "url must be an https address". Null where something is said of none of them.
 */
export function fieldErrors(
  messages: readonly string[],
  fields: Readonly<Record<string, string>>,
): Record<string, string> | null {
  const errors = messages.map((message) => {
    const name = Object.keys(fields).find((name) => message.startsWith(`${name} `));
    const field = name === undefined ? undefined : fields[name];
    if (name === undefined || field === undefined) return null;
    const said = message.slice(name.length + 1);
    return [field, said.charAt(0).toUpperCase() + said.slice(1)] as const;
  });
  return errors.some((error) => error === null)
    ? null
    : Object.fromEntries(errors.filter((error) => error !== null));
}
