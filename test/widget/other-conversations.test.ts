import { describe, expect, test } from 'vitest';
import {
  applyTeamConversations,
  countUnseenElsewhere,
  isWaiting,
  type KnownConversation,
  otherConversations,
  type VisitorConversations,
  withSeenPosition,
  withShownConversation,
} from '../../src/widget/other-conversations.ts';

const withAgent: KnownConversation = { id: 'old', status: 'HUMAN', teamPositions: [5, 3] };
const resolved: KnownConversation = { id: 'done', status: 'RESOLVED', teamPositions: [2] };

function visitor(part: Partial<VisitorConversations> = {}): VisitorConversations {
  return { conversationId: 'new', status: 'OPEN', items: [], conversations: [], ...part };
}

describe('unseen messages', () => {
  test('are counted by conversation, except the shown one', () => {
    const conversations = [withAgent, resolved, { ...withAgent, id: 'new' }];
    const counts = countUnseenElsewhere(visitor({ conversations }), { old: 3 });
    expect([...counts]).toEqual([
      ['old', 1],
      ['done', 1],
    ]);
  });

  test('are none once the latest was seen, or if an older service sends no positions', () => {
    const conversations = [withAgent, { id: 'other', status: 'HUMAN' }] as const;
    expect(countUnseenElsewhere(visitor({ conversations }), { old: 5 }).size).toBe(0);
  });

  test('keep what was seen of the latest fifty conversations', () => {
    let seen = {};
    for (let n = 0; n < 60; n += 1) seen = withSeenPosition(seen, `c${n}`, n);
    seen = withSeenPosition(seen, 'c10', 99);
    expect(Object.keys(seen)).toHaveLength(50);
    expect(seen).toMatchObject({ c10: 99, c59: 59 });
    expect(seen).not.toHaveProperty('c9');
  });
});

describe('the visitor waits for an agent', () => {
  test('in the shown conversation or in another one', () => {
    expect(isWaiting(visitor())).toBe(false);
    expect(isWaiting(visitor({ status: 'HANDOFF_REQUESTED' }))).toBe(true);
    expect(isWaiting(visitor({ conversations: [withAgent] }))).toBe(true);
    expect(isWaiting(visitor({ conversations: [resolved] }))).toBe(false);
  });

  test('not because of an earlier state of the shown conversation', () => {
    const conversations = [{ ...withAgent, id: 'new' }];
    expect(isWaiting(visitor({ conversations }))).toBe(false);
  });
});

describe('a conversation that the visitor leaves', () => {
  const items = [
    { role: 'USER', position: 1 },
    { role: 'AGENT', position: 2 },
  ];

  test('is known afterwards with its state and the messages of the team', () => {
    const left = visitor({ conversationId: 'a', status: 'HUMAN', items });
    const conversations = withShownConversation(left);
    expect(conversations).toEqual([{ id: 'a', status: 'HUMAN', teamPositions: [2] }]);
    expect(otherConversations({ conversationId: null, conversations })).toEqual(conversations);
  });

  test('keeps what is known of it if it was not loaded', () => {
    const conversations = [withAgent];
    const notLoaded = visitor({ conversationId: 'old', status: null, conversations });
    expect(withShownConversation(notLoaded)).toEqual(conversations);
    const none = visitor({ conversationId: null, status: null, conversations });
    expect(withShownConversation(none)).toEqual(conversations);
  });
});

test('an update replaces the known conversations, and ends the waiting for those it leaves out', () => {
  const deleted: KnownConversation = { id: 'gone', status: 'HANDOFF_REQUESTED' };
  const news: KnownConversation = { ...withAgent, status: 'RESOLVED', teamPositions: [7, 5, 3] };
  expect(applyTeamConversations([deleted, withAgent, resolved], [news])).toEqual([news, resolved]);
});
