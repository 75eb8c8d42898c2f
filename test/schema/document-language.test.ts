import { beforeAll, expect, test } from 'vitest';
import { documentLanguages } from '../../src/dashboard/knowledge/use-document-filter.ts';
import { languages } from '../../src/text/detect-language.ts';
import { addDocuments } from '../support/knowledge.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await sharedService();
  tenant = await service.createTenant();
});

const german = 'Das Schwimmbad ist von sieben bis zehn Uhr für alle Gäste geöffnet.';
const english = 'The pool is open for all guests from seven to ten.';

async function languagesByName(): Promise<Record<string, string | null>> {
  const { documents } = await (await tenant.member('AGENT')).data<{
    documents: { edges: { node: { name: string; language: string | null } }[] };
  }>(
    'query ($projectId: ID!) { documents(projectId: $projectId) { edges { node { name language } } } }',
    {
      projectId: tenant.projectId,
    },
  );
  return Object.fromEntries(documents.edges.map(({ node }) => [node.name, node.language]));
}

test('a document has the language of its text, and null if it is not clear', async () => {
  await addDocuments(service, tenant.projectId, {
    'bad.txt': german,
    'pool.txt': english,
    'prices.csv': 'item;price\ntowel;2\nsauna;9',
    'both.md': `# A\n\n${`${german} `.repeat(60)}\n\n# B\n\n${`${english} `.repeat(60)}`,
  });
  expect(await languagesByName()).toEqual({
    'bad.txt': 'de',
    'pool.txt': 'en',
    'prices.csv': null,
    'both.md': null,
  });
});

test('the list of languages in the dashboard is complete', () => {
  expect([...documentLanguages].sort()).toEqual([...languages].sort());
});
