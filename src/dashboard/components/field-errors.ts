/**
 * Returns the service's error messages by form field. Returns null if a message belongs to none of the fields.
 * @param fields Maps the field names of the service to those of the form. A message starts with the name that the
 * service uses, as in "url must be an https address", or with a part of that name, as in "filter.colour is not a
 * field".
 */
export function fieldErrors(
  messages: readonly string[],
  fields: Readonly<Record<string, string>>,
): Record<string, string> | null {
  // Try longer names first, such as `config.url` before `config`.
  const names = Object.keys(fields).sort((a, b) => b.length - a.length);
  const errors = messages.map((message) => {
    const name = names.find(
      (name) => message.startsWith(name) && /[ .[]/.test(message[name.length] ?? ''),
    );
    const field = name === undefined ? undefined : fields[name];
    if (name === undefined || field === undefined) return null;
    const detail = message.slice(name.length).replace(/^\./, '');
    return [field, detail.replace(/^ (.)/, (_, first: string) => first.toUpperCase())] as const;
  });
  return errors.some((error) => error === null)
    ? null
    : Object.fromEntries(errors.filter((error) => error !== null));
}

/**
 * Shows the service's error messages at the fields of a form, and scrolls to the first of them. Returns false, and shows
 * none, if a message belongs to none of the fields.
 */
export function showFieldErrors(
  form: {
    readonly setErrors: (errors: Record<string, string>) => void;
    readonly getInputNode: (field: string) => HTMLElement | null;
  },
  messages: readonly string[],
  fields: Readonly<Record<string, string>>,
): boolean {
  const errors = fieldErrors(messages, fields);
  if (errors !== null) {
    form.setErrors(errors);
    const [first = ''] = Object.keys(errors);
    form.getInputNode(first)?.scrollIntoView({ block: 'center' });
  }
  return errors !== null;
}
