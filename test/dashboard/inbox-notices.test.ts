import { expect, it } from 'vitest';
import { noticesOfAssignments } from '../../src/dashboard/live-inbox/assignment-notices.ts';
import {
  isConversationOpen,
  noticeOfAgent,
  noticeOfMessages,
  noticeOfRequests,
} from '../../src/dashboard/live-inbox/inbox-notices.ts';

const inbox = '/p1/inbox';
const person = { name: null, email: null };
const messageIn = (conversationId: string) => ({ ...person, conversationId, content: 'Hello?' });
const requestIn = (conversationId: string) => ({
  ...person,
  conversationId,
  id: `h-${conversationId}`,
  reason: null,
});

it.each([
  ['a message', noticeOfMessages([messageIn('c1'), messageIn('c1')])],
  ['a request', noticeOfRequests([requestIn('c1')])],
])('the notice of %s is of an open conversation only on its page', (_what, notice) => {
  if (notice === null) throw new Error('no notice');
  expect(isConversationOpen(notice, `${inbox}/c1`, inbox)).toBe(true);
  for (const page of [inbox, `${inbox}/c2`, '/p1/usage', '/p1/conversations/c1']) {
    expect(isConversationOpen(notice, page, inbox)).toBe(false);
  }
});

it.each([
  ['messages', noticeOfMessages([messageIn('c1'), messageIn('c2')])],
  ['requests', noticeOfRequests([requestIn('c1'), requestIn('c2')])],
])(
  'the notice of %s in two conversations is of no open one, also in the inbox',
  (_what, notice) => {
    if (notice === null) throw new Error('no notice');
    for (const page of [inbox, `${inbox}/c1`, `${inbox}/c2`]) {
      expect(isConversationOpen(notice, page, inbox)).toBe(false);
    }
  },
);

it.each([
  [null, 'ann', 'The conversation with Mira is yours'],
  ['ben', 'ann', 'The conversation with Mira is yours'],
  ['ann', 'ben', 'The conversation with Mira is no longer yours'],
  ['ann', 'ann', undefined],
  ['ben', 'cleo', undefined],
])('the agent was %s and is %s: %s', (before, after, title) => {
  const change = { ...requestIn('c1'), name: 'Mira', before, after };
  expect(noticeOfAgent(change, 'ann')?.title).toBe(title);
});

it('assignments in other projects have a notice that opens the inbox of the project', () => {
  const given = { conversationId: 'c1', actor: 'ben@example.com' };
  const assignments = [
    { ...given, id: 'e1', projectId: 'p1' },
    { ...given, id: 'e2', projectId: 'p2' },
    { ...given, id: 'e3', projectId: 'p3' },
  ];
  const notices = noticesOfAssignments(assignments, [{ id: 'p2', name: 'Spa' }], 'p1');
  expect(notices).toMatchObject([
    { title: 'A conversation in Spa is yours', message: 'ben@example.com gave it to you.' },
    { title: 'A conversation in another project is yours', projectId: 'p3', path: '/c1' },
  ]);
});
