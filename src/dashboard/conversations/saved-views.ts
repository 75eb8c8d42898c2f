/** A filter of the list of conversations that was saved in this browser. */
export interface SavedView {
  /** 1 to 40 characters. */
  readonly name: string;
  /** The filter, as `viewQueryOf` returns it. Not empty. */
  readonly query: string;
}

export const maxViews = 20;
export const maxViewNameLength = 40;

/** Query parameters of `useConversationFilter`, in the order in which a view contains them. */
const filterParameters = [
  'search',
  'status',
  'confidence',
  'rating',
  'handoff',
  'channel',
  'label',
  'period',
  'user',
] as const;

/** Returns the filter in a query string, in a form that is equal for equal filters. Empty if no filter is set. */
export function viewQueryOf(search: string): string {
  const parameters = new URLSearchParams(search);
  const query = new URLSearchParams();
  for (const name of filterParameters) {
    const value = parameters.get(name);
    if (value !== null && value !== '') query.set(name, value);
  }
  return query.toString();
}

/** Returns the views in a stored text, without entries that are no views. Returns none if the text is not valid JSON. */
export function parseViews(text: string | undefined): readonly SavedView[] {
  return readList(text)
    .flatMap(viewOf)
    .reduce<readonly SavedView[]>((views, view) => withView(views, view) ?? views, []);
}

/**
 * Returns the views with one more, sorted by name. A view with the same name or the same filter is replaced, so that
 * saving a filter again renames its view. Returns null if there are 20 others.
 */
export function withView(
  views: readonly SavedView[],
  { name, query }: SavedView,
): readonly SavedView[] | null {
  const others = views.filter((view) => view.name !== name && view.query !== query);
  if (others.length >= maxViews) return null;
  return [...others, { name, query }].sort((one, other) => one.name.localeCompare(other.name));
}

export function withoutView(views: readonly SavedView[], query: string): readonly SavedView[] {
  return views.filter((view) => view.query !== query);
}

function readList(text: string | undefined): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

/** Returns the view in a list, or an empty list if the value is no view. */
function viewOf(value: unknown): SavedView[] {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('query' in value))
    return [];
  if (typeof value.name !== 'string' || typeof value.query !== 'string') return [];
  const name = value.name.trim();
  const query = viewQueryOf(value.query);
  const isView = name !== '' && name.length <= maxViewNameLength && query !== '';
  return isView ? [{ name, query }] : [];
}
