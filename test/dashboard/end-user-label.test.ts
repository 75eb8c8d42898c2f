import { expect, test } from 'vitest';
import { endUserDetails, endUserLabel } from '../../src/dashboard/transcript/end-user-label.ts';

const id = '01980a3c-7d60-7e11-8c45-9b1a2c3d4e5f';
const nobody = { id, endUserId: null, endUserName: null, endUserEmail: null };

test.each([
  ['the name', { ...nobody, endUserName: 'Ada', endUserEmail: 'ada@example.com' }, 'Ada'],
  ['the e-mail address', { ...nobody, endUserEmail: 'ada@example.com' }, 'ada@example.com'],
  ['the id of the website', { ...nobody, endUserId: 'customer-4711' }, 'customer-4711'],
  ['the end of a generated id', { ...nobody, endUserId: `visitor-${id}` }, 'Visitor 4e5f'],
  ['the end of a UUID', { ...nobody, endUserId: id }, 'Visitor 4e5f'],
  ['the end of the id of the conversation', nobody, 'Visitor 4e5f'],
])('an end user is shown by %s', (_what, endUser, label) => {
  expect(endUserLabel(endUser)).toBe(label);
});

test('what the end user entered to reach the team comes first', () => {
  const endUser = { ...nobody, endUserName: 'A. King' };
  expect(endUserLabel(endUser, { name: 'Ada', email: null })).toBe('Ada');
  expect(endUserLabel(endUser, { name: null, email: 'ada@example.com' })).toBe('A. King');
});

test('the details contain each value once, and no generated id', () => {
  const endUser = {
    ...nobody,
    endUserId: '4711',
    endUserName: 'Ada',
    endUserEmail: 'a@example.com',
  };
  expect(endUserDetails(endUser)).toBe('Ada · a@example.com · 4711');
  expect(endUserDetails({ ...nobody, endUserId: 'ada' })).toBe('ada');
  expect(endUserDetails({ ...nobody, endUserId: `visitor-${id}` })).toBe('Visitor 4e5f');
});
