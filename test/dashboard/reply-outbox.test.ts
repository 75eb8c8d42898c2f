import { describe, expect, it } from 'vitest';
import {
  createReplyOutbox,
  type PendingReply,
  type ReplyOutbox,
  type SendFailure,
} from '../../src/dashboard/inbox/reply-outbox.ts';
import { waitUntil } from '../support/wait-until.ts';

const offline: SendFailure = { isTemporary: true, reason: 'The service is not responding.' };
const refused: SendFailure = { isTemporary: false, reason: 'Another agent owns it.' };

function start(answers: (SendFailure | null)[], unsent: readonly PendingReply[] = []) {
  const sent: string[] = [];
  const unseen: string[] = [];
  let stored: readonly PendingReply[] = unsent;
  let ids = 0;
  const outbox = createReplyOutbox(
    {
      newId: () => `id-${++ids}`,
      store: (replies) => {
        stored = replies;
      },
      reportUnseenFailure: (reason) => unseen.push(reason),
      retryDelaysMs: [1, 1],
      deliver: async ({ messageId, content }) => {
        sent.push(`${messageId} ${content}`);
        return answers.shift() ?? { storedId: `stored-${messageId}` };
      },
    },
    unsent,
  );
  return { outbox, sent, unseen, stored: () => stored };
}

const statusesOf = (outbox: ReplyOutbox) => outbox.list().map(({ status }) => status);
const settled = (outbox: ReplyOutbox) =>
  waitUntil(() => statusesOf(outbox).every((status) => status !== 'SENDING'));

describe('the outbox of replies', () => {
  it('sends replies in their order, and keeps them until the transcript shows them', async () => {
    const { outbox, sent, stored } = start([]);
    outbox.send('First');
    outbox.send('Second');
    expect(statusesOf(outbox)).toEqual(['SENDING', 'SENDING']);
    expect(stored()).toHaveLength(2);
    await settled(outbox);
    expect(sent).toEqual(['id-1 First', 'id-2 Second']);
    expect(statusesOf(outbox)).toEqual(['SENT', 'SENT']);
    expect(stored()).toEqual([]);
    outbox.confirm(new Set(['stored-id-1', 'another']));
    expect(outbox.list()).toMatchObject([{ content: 'Second' }]);
  });

  it('repeats a reply with the same id after a temporary failure', async () => {
    const { outbox, sent } = start([offline, offline, null]);
    outbox.send('First');
    await settled(outbox);
    expect(sent).toEqual(['id-1 First', 'id-1 First', 'id-1 First']);
    expect(statusesOf(outbox)).toEqual(['SENT']);
  });

  it('stops after the last repetition, and sends all in order when asked to', async () => {
    const { outbox, sent, stored } = start([offline, offline, offline]);
    outbox.subscribe(() => undefined);
    outbox.send('First');
    outbox.send('Second');
    await settled(outbox);
    expect(outbox.list()).toMatchObject([
      { content: 'First', status: 'FAILED', reason: offline.reason },
      { content: 'Second', status: 'FAILED', reason: offline.reason },
    ]);
    expect(stored()).toHaveLength(2);
    sent.length = 0;
    outbox.retry();
    await settled(outbox);
    expect(sent).toEqual(['id-1 First', 'id-2 Second']);
  });

  it('does not repeat a reply that the service refuses, and reports it if nobody sees it', async () => {
    const { outbox, sent, unseen } = start([refused]);
    outbox.send('First');
    await settled(outbox);
    expect(sent).toEqual(['id-1 First']);
    expect(unseen).toEqual([refused.reason]);
    outbox.remove('id-1');
    expect(outbox.list()).toEqual([]);
  });

  it('sends what an earlier page was sending, and leaves what had failed', async () => {
    const reply = { createdAt: '2026-11-29T10:00:00Z', reason: null, storedId: null } as const;
    const { outbox, sent } = start(
      [],
      [
        { ...reply, messageId: 'old', content: 'Old', status: 'FAILED', reason: 'Too late' },
        { ...reply, messageId: 'new', content: 'New', status: 'SENDING' },
      ],
    );
    await settled(outbox);
    expect(sent).toEqual(['new New']);
    expect(statusesOf(outbox)).toEqual(['FAILED', 'SENT']);
  });
});
