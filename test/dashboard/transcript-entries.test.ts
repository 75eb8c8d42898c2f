import { describe, expect, test } from 'vitest';
import { describeEvent } from '../../src/dashboard/transcript/describe-event.ts';
import { mergeTranscript } from '../../src/dashboard/transcript/merge-transcript.ts';

const at = (minute: number, id: string) => ({ id, createdAt: `2026-11-27T14:0${minute}:00Z` });

function idsOf(entries: ReturnType<typeof mergeTranscript<Entry, Entry, Entry>>): string[] {
  return entries.map((entry) => {
    if (entry.type === 'message') return entry.message.id;
    return entry.type === 'note' ? entry.note.id : entry.event.id;
  });
}
type Entry = ReturnType<typeof at>;

describe('a transcript', () => {
  const messages = [at(1, 'question'), at(4, 'reply')];

  test('has notes and events between the messages, with an event before a note of the same time', () => {
    const notes = [at(2, 'note'), at(6, 'late note')];
    const events = [at(0, 'early'), at(2, 'transfer'), at(3, 'claim'), at(6, 'resolved')];
    expect(idsOf(mergeTranscript({ messages, notes, events }, false))).toEqual([
      ...['early', 'question', 'transfer', 'note', 'claim', 'reply', 'resolved', 'late note'],
    ]);
  });

  test('starts with its first loaded message if there are earlier ones', () => {
    const additions = { notes: [at(0, 'note')], events: [at(0, 'early'), at(5, 'late')] };
    expect(idsOf(mergeTranscript({ messages, ...additions }, true))).toEqual([
      ...['question', 'reply', 'late'],
    ]);
    expect(idsOf(mergeTranscript({ messages: [], ...additions }, false))).toHaveLength(3);
  });
});

describe('an event', () => {
  const ana = 'ana@example.com';
  const ben = 'ben@example.com';
  const textOf = (
    type: Parameters<typeof describeEvent>[0]['type'],
    agents: { readonly from?: string; readonly to?: string },
    { reader = null, isReopening = false }: { reader?: string | null; isReopening?: boolean } = {},
  ) => {
    const event = {
      type,
      actor: ana,
      previousAgent: agents.from ?? null,
      agent: agents.to ?? null,
    };
    return describeEvent({ ...event, isReopening }, reader, (agent) => names.get(agent) ?? agent);
  };
  const names = new Map([['dee@example.com', 'Dee']]);

  test('names the agents', () => {
    expect(textOf('CLAIMED', { to: ana })).toBe('ana@example.com claimed the conversation');
    expect(textOf('TAKEN_OVER', { to: ana })).toBe('ana@example.com took over the conversation');
    expect(textOf('TAKEN_OVER', { from: ben, to: ana })).toBe(
      'ana@example.com took over from ben@example.com',
    );
    expect(textOf('ASSIGNED', { to: ben })).toBe(
      'ana@example.com assigned the conversation to ben@example.com',
    );
    expect(textOf('TRANSFERRED', { from: ana, to: ben })).toBe(
      'ana@example.com transferred the conversation to ben@example.com',
    );
    expect(textOf('RETURNED', { from: ana })).toBe(
      'ana@example.com returned the conversation to the assistant',
    );
  });

  test('uses the name that an agent chose, and says when a conversation was reopened', () => {
    expect(textOf('ASSIGNED', { to: 'dee@example.com' })).toBe(
      'ana@example.com assigned the conversation to Dee',
    );
    expect(textOf('TAKEN_OVER', { to: ana }, { isReopening: true })).toBe(
      'ana@example.com reopened the conversation',
    );
  });

  test('calls its reader "you", and names the earlier owner if another agent transfers', () => {
    expect(textOf('TRANSFERRED', { from: 'cy@example.com', to: ben }, { reader: ben })).toBe(
      'ana@example.com transferred the conversation from cy@example.com to you',
    );
    expect(textOf('TAKEN_OVER', { from: ben, to: ana }, { reader: ben })).toBe(
      'ana@example.com took over from you',
    );
    expect(textOf('RESOLVED', { from: ana }, { reader: ana })).toBe(
      'You resolved the conversation',
    );
    expect(textOf('RELEASED', { from: ana }, { reader: ana })).toBe(
      'You put the conversation back to waiting',
    );
  });
});
