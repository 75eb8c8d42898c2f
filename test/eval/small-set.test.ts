import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { searchKnowledge } from '../../src/domain/knowledge/retrieval/search-knowledge.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';
import { readSets } from './dataset.ts';
import { evaluateQuestion, loadSet, type QuestionResult } from './evaluate-question.ts';
import { computeMetrics } from './metrics.ts';

const small = fileURLToPath(new URL('small', import.meta.url));

let service: TestService;
let outcomes: readonly QuestionResult[];

beforeAll(async () => {
  service = await sharedService();
  const { organizationId } = await service.createTenant();
  const [set] = await readSets(small, ['harbour']);
  if (set === undefined) throw new Error('the small set is missing');
  const loaded = await loadSet(service.system, organizationId, set);
  const answered: QuestionResult[] = [];
  for (const question of set.questions) {
    answered.push(await evaluateQuestion(service.system, set, loaded, question));
  }
  outcomes = answered;
}, 120_000);

test('the built-in models find, answer and cite the expected content of the small set', () => {
  const sameLanguage = computeMetrics(outcomes.filter(({ lang }) => !lang.includes('->')));
  expect(sameLanguage.recallAt1).toBeGreaterThanOrEqual(0.9);
  expect(sameLanguage.containment).toBeGreaterThanOrEqual(0.8);
  expect(sameLanguage.firstCitation).toBeGreaterThanOrEqual(0.9);
  expect(sameLanguage.citationPrecision).toBeGreaterThanOrEqual(0.9);
  expect(sameLanguage.wordsMedian).toBeLessThanOrEqual(60);
});

test('they separate answerable from unanswerable questions', () => {
  const { auroc, abstainedAnswerable, abstainedUnanswerable } = computeMetrics(outcomes);
  expect(auroc).toBeGreaterThanOrEqual(0.75);
  expect(abstainedAnswerable).toBeLessThanOrEqual(0.1);
  expect(abstainedUnanswerable).toBeGreaterThanOrEqual(0.4);
});

test.each([
  ['codes', 'articles, messages, versions, addresses and phrases that are nearly the same', 0.9],
  ['lists', 'rows of tables that differ by the titles of their columns', 0.75],
  ['scripts', 'scripts without spaces, and those written from right to left', 0.9],
])(
  'the right document ranks first for %s: %s',
  async (name, _, least) => {
    const [set] = await readSets(small, [name]);
    if (set === undefined) throw new Error(`the set ${name} is missing`);
    const { organizationId } = await service.createTenant();
    const { projectId, documentIds } = await loadSet(service.system, organizationId, set);
    let right = 0;
    for (const { question: query, doc_ids } of set.questions) {
      const [first] = await searchKnowledge(service.system, { projectId, query });
      if (doc_ids.some((id) => documentIds.get(id) === first?.documentId)) right += 1;
    }
    expect(right / set.questions.length).toBeGreaterThanOrEqual(least);
  },
  120_000,
);

test('a set is ingested once', async () => {
  const [set] = await readSets(small, ['harbour']);
  const { organizationId } = await service.system.db.project.findFirstOrThrow({
    where: { name: { startsWith: 'harbour ' } },
  });
  if (set === undefined) throw new Error('the small set is missing');
  const again = await loadSet(service.system, organizationId, set);
  const { projectId } = again;
  expect(await service.system.db.document.count({ where: { projectId } })).toBe(6);
  expect([...again.documentIds.values()]).not.toContain('');
});
