import { expect, test } from 'vitest';
import {
  maxViews,
  parseViews,
  type SavedView,
  viewQueryOf,
  withoutView,
  withView,
} from '../../src/dashboard/conversations/saved-views.ts';

const numbered = (n: number): SavedView => ({ name: `View ${n}`, query: `search=${n}` });
const full = Array.from({ length: maxViews }, (_, n) => numbered(n));

test('equal filters have equal queries, without parameters that are no filter', () => {
  const query = viewQueryOf('?rating=DOWN&open=1&search=late+bus&status=');
  expect(query).toBe('search=late+bus&rating=DOWN');
  expect(viewQueryOf('search=late%20bus&rating=DOWN')).toBe(query);
  expect(viewQueryOf('')).toBe('');
});

test('a view with the same name or the same filter is replaced', () => {
  const views = [
    { name: 'Bad', query: 'rating=DOWN' },
    { name: 'Unsure', query: 'confidence=30' },
  ];
  expect(withView(views, { name: 'Bad', query: 'search=bus' })).toEqual([
    { name: 'Bad', query: 'search=bus' },
    views[1],
  ]);
  expect(withView(views, { name: 'Weak', query: 'confidence=30' })).toEqual([
    views[0],
    { name: 'Weak', query: 'confidence=30' },
  ]);
  expect(withoutView(views, 'rating=DOWN')).toEqual([views[1]]);
});

test('twenty views are the most, and can still be renamed', () => {
  expect(withView(full, numbered(99))).toBeNull();
  expect(withView(full, { name: 'Renamed', query: 'search=0' })).toHaveLength(maxViews);
  expect(parseViews(JSON.stringify([...full, numbered(99)]))).toHaveLength(maxViews);
});

test('what is stored is read again', () => {
  const views = [{ name: 'Bad', query: 'rating=DOWN' }];
  expect(parseViews(JSON.stringify(views))).toEqual(views);
});

test.each([
  ['nothing', undefined],
  ['a broken text', '[{"name":'],
  ['another value', '{"name":"Bad","query":"rating=DOWN"}'],
  ['no object', '[null, 7, "Bad"]'],
  ['no text', '[{"name":7,"query":"rating=DOWN"},{"name":"Bad"}]'],
  ['a blank name', '[{"name":" ","query":"rating=DOWN"}]'],
  ['a long name', JSON.stringify([{ name: 'x'.repeat(41), query: 'rating=DOWN' }])],
  ['no filter', '[{"name":"Bad","query":"page=2"}]'],
])('a storage with %s has no view', (_what, text) => {
  expect(parseViews(text)).toEqual([]);
});
