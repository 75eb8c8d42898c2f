import { afterAll, beforeAll, expect, test } from 'vitest';
import { explainSearch, type SearchExplanation } from '../../../src/domain/chat/explain-search.ts';
import { reindex } from '../../../src/domain/knowledge/ingestion/reindex.ts';
import { addDocuments } from '../../support/knowledge.ts';
import { narrowBandEmbedding } from '../../support/narrow-band-embedding.ts';
import { type OpenAiServer, startOpenAiServer } from '../../support/servers/openai-server.ts';
import { startTestService, type TestService } from '../../support/service.ts';

const queries = [
  'When does the sauna open?',
  'What does a night in the garage cost?',
  'Who discovered the planet Neptune?',
];

let wide: OpenAiServer;
let narrow: OpenAiServer;
const services: TestService[] = [];
let expected: readonly SearchExplanation[];
let found: readonly SearchExplanation[];

async function start(models: OpenAiServer, embeddingModel: string) {
  const openAi = { baseUrl: models.baseUrl, apiKey: null, chatModel: null, embeddingModel };
  const database = services[0]?.database;
  const service = await startTestService(
    database === undefined ? { openAi } : { openAi, database, isWorker: false },
  );
  services.push(service);
  return service;
}

beforeAll(async () => {
  wide = await startOpenAiServer();
  narrow = await startOpenAiServer({ embed: narrowBandEmbedding });
  const first = await start(wide, 'wide');
  const { projectId } = await first.createTenant();
  await addDocuments(first, projectId, {
    'Sauna.md': 'The sauna opens at 16:00 and closes at 22:00. Towels are free.',
    'Garage.md': 'The garage has 40 spaces. A night in the garage costs 15 euros.',
    'Pool.md': 'Children swim in the pool until six. Lessons are on Mondays at nine.',
    'Breakfast.md': 'Breakfast is from seven until ten. The kitchen bakes the bread itself.',
  });
  const explainAll = ({ system }: TestService) =>
    Promise.all(queries.map((query) => explainSearch(system, { projectId, query })));
  expected = await explainAll(first);
  const second = await start(narrow, 'narrow');
  await reindex(second.system);
  found = await explainAll(second);
}, 120_000);
afterAll(async () => {
  for (const service of services.toReversed()) await service.stop();
  for (const models of [wide, narrow]) await models?.close();
});

test.each(queries.map((query, index) => [query, index] as const))(
  'a model with a narrow band of cosines gives the order and confidence of another: %s',
  (_, index) => {
    const [before, after] = [expected[index], found[index]];
    const namesOf = (one: SearchExplanation | undefined) =>
      one?.results.map(({ hit }) => hit.documentName);
    expect(namesOf(after)).toEqual(namesOf(before));
    for (const [rank, { hit }] of (after?.results ?? []).entries()) {
      const { similarity = -1, score = -1 } = before?.results[rank]?.hit ?? {};
      expect(hit.similarity).toBeCloseTo(similarity, 3);
      expect(hit.score).toBeCloseTo(score, 3);
    }
    expect(after?.confidence).toBeCloseTo(before?.confidence ?? -1, 2);
    expect(after?.isAnswerable).toBe(before?.isAnswerable);
  },
);

test('the band is measured once', () => {
  const measured = narrow.requests.filter(({ body }) => [body.input].flat().length === 16);
  expect(measured).toHaveLength(2);
});
