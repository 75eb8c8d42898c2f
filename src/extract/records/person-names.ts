import { isJsonObject } from '../../platform/is-json-object.ts';

const maxDepth = 12;
const peopleName = /(?:^|_)(?:users|members|authors|agents|people|profiles|channels)$/;

/**
 * Returns the names of people and channels in an export, by id. Reads lists of users, and messages that contain the
 * profile of their author.
 */
export function personNames(value: unknown): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const visit = (value: unknown, isPeople: boolean, depth: number): void => {
    if (depth > maxDepth) return;
    if (Array.isArray(value)) {
      for (const item of value) visit(item, isPeople, depth + 1);
    } else if (isJsonObject(value)) {
      const name = nameOf(value) ?? nameOf(value.profile);
      if (isPeople && name !== null && value.id !== undefined) names.set(String(value.id), name);
      const author = nameOf(value.user_profile);
      if (author !== null && typeof value.user === 'string') names.set(value.user, author);
      for (const [key, item] of Object.entries(value)) {
        if (typeof item === 'object') visit(item, peopleName.test(key), depth + 1);
      }
    }
  };
  visit(value, false, 0);
  return names;
}

function nameOf(value: unknown): string | null {
  if (!isJsonObject(value)) return null;
  const { real_name: real, display_name: display, name } = value;
  return (
    [real, display, name].find((one): one is string => typeof one === 'string' && one !== '') ??
    null
  );
}
