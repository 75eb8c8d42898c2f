import { beforeAll, expect, test } from 'vitest';
import { sharedService } from '../support/shared-service.ts';
import { readConversationSet } from './conversation-set.ts';
import {
  type ConversationResult,
  countGood,
  evaluateConversations,
  faultsOf,
  formatFailures,
} from './evaluate-conversation.ts';

/**
 * Minimum number of good conversations per category with the built-in models. It is the measured number minus one or
 * two. Raise it when the replies improve.
 */
const minGood = {
  'follow-up': 22,
  handoff: 5,
  languages: 15,
  lists: 7,
  negation: 8,
  polite: 12,
  'small-talk': 9,
  tables: 11,
  typos: 13,
  unanswerable: 8,
  total: 117,
};

let results: readonly ConversationResult[];

beforeAll(async () => {
  const service = await sharedService();
  const { organizationId } = await service.createTenant();
  const set = await readConversationSet();
  results = await evaluateConversations(service.system, organizationId, set);
}, 180_000);

test.each(Object.entries(minGood))('conversations, %s: at least %i are good', (category, least) => {
  const counts = countGood(results).get(category);
  const failures = formatFailures(results.filter((one) => one.category === category));
  expect(counts?.good, failures).toBeGreaterThanOrEqual(least);
});

test('every category has a minimum', () => {
  expect([...countGood(results).keys()].sort()).toEqual(Object.keys(minGood).sort());
});

test('a reply is good if it has the words, the document and the length that its turn expects', () => {
  const turn = {
    user: 'How long?',
    reply: 'answer' as const,
    contains: [['30', 'thirty'], ['days']],
    excludes: ['clearance'],
    cites: 'Returns.md',
    maxWords: 6,
    differs: true,
  };
  const source = { documentId: 'd', chunkId: 'c', score: 1, quote: null, page: null };
  const citation = { ...source, documentName: 'Returns.md', startOffset: 0, endOffset: 9 };
  const citations = [citation, { ...citation, documentName: 'Shipping.md' }];
  const faults = (content: string, previous?: string) =>
    faultsOf(turn, { content, citations }, previous);

  expect(faults('Within 30 days of delivery. [1]')).toEqual([]);
  expect(faults('Within thirty days of the delivery. [1]')).toEqual([]);
  expect(faults('Within 130 days. [1]')).toEqual(['lacks "30" or "thirty"']);
  expect(faults('Within 30 days of delivery. [2]')).toEqual(['cites not Returns.md']);
  expect(faults('Clearance: 30 days. [1]')).toEqual(['contains "clearance"']);
  expect(faults('It is 30 days of delivery long. [1]')).toEqual(['has 7 words']);
  expect(faults('30 days. [1]', '30 days. [1]')).toEqual(['repeats the previous reply']);
  expect(faults("I don't know how many of the 30 days. [1]")).toContain('refuses');
  expect(faultsOf({ ...turn, reply: 'refusal' }, { content: '30 days. [1]', citations })).toEqual([
    'answers',
  ]);
});
