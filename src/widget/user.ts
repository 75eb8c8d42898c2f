/** A user who is signed in to the website. The website's back end has signed the id. */
export interface User {
  readonly userId: string;
  readonly userHash: string;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
}

/**
 * Returns the user that the page names. Returns null without an id, because nobody is signed in then. Converts numbers
 * to texts, and cuts name and e-mail to the lengths that the service accepts.
 */
export function readUser(given: { readonly [field in keyof User]?: unknown } | null): User | null {
  const text = (value: unknown) =>
    value === undefined || value === null ? '' : String(value).trim();
  const userId = text(given?.userId);
  if (userId === '') return null;
  return {
    userId,
    userHash: text(given?.userHash),
    name: [...text(given?.name)].slice(0, 200).join(''),
    email: text(given?.email).slice(0, 254),
  };
}

export function isSameUser(a: User | null, b: User | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
