import { beforeAll, describe, expect, test } from 'vitest';
import { createApiKey } from '../../src/domain/api-keys/api-keys.ts';
import { runSql } from '../../src/platform/postgres/run-sql.ts';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import { addDocuments } from '../support/knowledge.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;
let client: GraphqlClient;

beforeAll(async () => {
  service = await sharedService();
  tenant = await service.createTenant();
  client = graphqlClient(service.url, await service.token({ role: 'service_role' }));
  await addDocuments(service, tenant.projectId, {
    'b parking.md': '# Parking\n\nGuests park for free behind the house.',
    'a breakfast.md': '# Breakfast\n\nBreakfast is served until noon on Sundays, in the old hall.',
    'c rules.txt': Array.from(
      { length: 60 },
      (_, n) => `Rule ${n}. ${'Be kind. '.repeat(60)}`,
    ).join('\n\n'),
  });
});

describe('documentPage', () => {
  const names = async (variables: object) => {
    const { documentPage } = await client.data<{
      documentPage: { total: number; data: { name: string }[] };
    }>(
      `query ($projectId: ID!, $order: DocumentOrder, $status: DocumentStatus) {
        documentPage(projectId: $projectId, order: $order, status: $status) { total data { name } }
      }`,
      { projectId: tenant.projectId, ...variables },
    );
    expect(documentPage.total).toBe(documentPage.data.length);
    return documentPage.data.map(({ name }) => name);
  };

  test('lists documents in the requested order', async () => {
    const byName = ['a breakfast.md', 'b parking.md', 'c rules.txt'];
    expect(await names({ order: 'NAME' })).toEqual(byName);
    const newest = await names({});
    expect(newest.toSorted()).toEqual(byName);
    expect(await names({ order: 'OLDEST' })).toEqual(newest.toReversed());
    expect((await names({ order: 'LARGEST' }))[0]).toBe('c rules.txt');
  });

  test('lists documents with one status', async () => {
    expect(await names({ status: 'READY' })).toHaveLength(3);
    expect(await names({ status: 'FAILED' })).toEqual([]);
  });
});

describe('the filters of documentPage', () => {
  let own: Tenant;
  let sourceId: string;
  beforeAll(async () => {
    own = await service.createTenant();
    const [guide, prices] = await addDocuments(service, own.projectId, {
      'guide.md': 'The pool opens at seven.',
      'prices.txt': 'A towel costs two euros.',
    });
    ({ id: sourceId } = await service.system.db.source.create({
      data: {
        id: crypto.randomUUID(),
        projectId: own.projectId,
        kind: 'WEBSITE',
        name: 'Help center',
        config: {},
      },
    }));
    const warnings = [{ code: 'COMMENTS', message: 'Comments were left out.' }];
    const changes = new Map([
      [guide?.name, { tags: ['pool'], sourceId }],
      [prices?.name, { warnings, language: 'de' }],
    ]);
    for (const [name, data] of changes) {
      await service.system.db.document.updateMany({
        where: { projectId: own.projectId, name },
        data,
      });
    }
  });
  const filteredClient = async () => {
    const { secret } = await createApiKey(service.system, {
      organizationId: own.organizationId,
      projectId: own.projectId,
      name: 'Two documents',
      scopes: ['KNOWLEDGE_READ'],
      filter: { name: { in: ['guide.md', 'prices.txt'] } },
    });
    return graphqlClient(service.url, secret);
  };
  const names = async (variables: object, client: GraphqlClient) => {
    const { documentPage } = await client.data<{
      documentPage: { total: number; data: { name: string }[] };
    }>(
      `query ($projectId: ID!, $sourceId: ID, $tag: String, $mimeType: String, $language: String, $hasWarnings: Boolean) {
        documentPage(projectId: $projectId, sourceId: $sourceId, tag: $tag, mimeType: $mimeType,
          language: $language, hasWarnings: $hasWarnings, order: NAME) { total data { name } }
      }`,
      { projectId: own.projectId, ...variables },
    );
    expect(documentPage.total).toBe(documentPage.data.length);
    return documentPage.data.map(({ name }) => name);
  };

  test.each(['all documents', 'the documents of a key with a filter'])(
    'select from %s',
    async (of) => {
      const caller = of === 'all documents' ? client : await filteredClient();
      const [guide, prices] = [['guide.md'], ['prices.txt']];
      expect(await names({ sourceId }, caller)).toEqual(guide);
      expect(await names({ tag: 'pool' }, caller)).toEqual(guide);
      expect(await names({ mimeType: 'text/plain' }, caller)).toEqual(prices);
      expect(await names({ mimeType: 'text/markdown', hasWarnings: false }, caller)).toEqual(guide);
      expect(await names({ hasWarnings: true }, caller)).toEqual(prices);
      expect(await names({ language: 'de' }, caller)).toEqual(prices);
      expect(await names({ language: 'en' }, caller)).toEqual(guide);
      expect(await names({ hasWarnings: true, tag: 'pool' }, caller)).toEqual([]);
    },
  );

  test('never select documents of another project', async () => {
    const { projectId } = tenant;
    for (const filter of [{ sourceId }, { tag: 'pool' }, { hasWarnings: true }]) {
      expect(await names({ projectId, ...filter }, client)).toEqual([]);
    }
    expect(await names({ projectId, mimeType: 'text/plain' }, client)).toEqual(['c rules.txt']);
  });
});

describe('documentChunks', () => {
  interface Chunks {
    readonly documentChunks: {
      readonly edges: {
        readonly cursor: string;
        readonly node: { id: string; position: number; context: string };
      }[];
      readonly pageInfo: { readonly hasNextPage: boolean };
    };
  }
  const read = async (variables: object) => {
    const { id: documentId } = await service.system.db.document.findFirstOrThrow({
      where: { projectId: tenant.projectId, name: 'c rules.txt' },
    });
    const { documentChunks } = await client.data<Chunks>(
      `query ($projectId: ID!, $documentId: ID!, $around: ID, $page: Int, $first: Int, $after: String, $last: Int, $before: String) {
        documentChunks(projectId: $projectId, documentId: $documentId, around: $around, page: $page,
            first: $first, after: $after, last: $last, before: $before) {
          edges { cursor node { id position context } }
          pageInfo { hasNextPage }
        }
      }`,
      { projectId: tenant.projectId, documentId, ...variables },
    );
    return documentChunks;
  };
  const positions = ({ edges }: Chunks['documentChunks']) => edges.map(({ node }) => node.position);

  test('are paginated in both directions from any chunk', async () => {
    const all = await read({ first: 100 });
    expect(positions(all)).toEqual(all.edges.map((_, index) => index));
    expect(all.edges.length).toBeGreaterThan(10);
    const tenth = all.edges[10];
    const around = await read({ around: tenth?.node.id, first: 4 });
    expect(positions(around)).toEqual([8, 9, 10, 11]);
    expect(around.pageInfo.hasNextPage).toBe(true);
    expect(positions(await read({ last: 3, before: around.edges[0]?.cursor }))).toEqual([5, 6, 7]);
    expect(positions(await read({ first: 2, after: around.edges[3]?.cursor }))).toEqual([12, 13]);
  });

  test('start at the beginning if the chunk was deleted or the id is invalid', async () => {
    for (const around of ['0198c0de-0000-7000-8000-000000000000', "' or true --"]) {
      expect(positions(await read({ around, first: 2 }))).toEqual([0, 1]);
    }
  });

  test('start at a page, and have the headings above them', async () => {
    const all = await read({ first: 100 });
    const { pool } = service.system;
    const paged = all.edges.filter(({ node }) => node.position >= 4).map(({ node }) => node.id);
    await runSql(
      pool,
      'update grounded.chunks set page = 1 + position / 4 where id = any($1::uuid[])',
      [paged],
    );
    expect(positions(await read({ page: 2, first: 2 }))).toEqual([4, 5]);
    expect(positions(await read({ page: 3, first: 1 }))).toEqual([8]);
    expect(positions(await read({ page: 1_000_000 }))).toEqual([]);
    const around = paged[5] ?? '';
    expect(positions(await read({ page: 1, around, first: 1 }))).toEqual([7]);
    for (const page of [0, -1, 1_000_001]) {
      await expect(read({ page })).rejects.toThrow('page');
    }
    expect(all.edges.every(({ node }) => typeof node.context === 'string')).toBe(true);
  });
});

describe('explainSearch', () => {
  const explain = async (query: string) => {
    const { explainSearch } = await client.data<{
      explainSearch: {
        results: {
          isGround: boolean;
          matches: { start: number; end: number }[];
          result: Record<'score' | 'similarity' | 'lexical', number> & {
            chunkId: string;
            content: string;
          };
        }[];
        isAnswerable: boolean;
        confidence: number;
        tookMs: number;
      };
    }>(
      `query ($projectId: ID!, $query: String!) {
        explainSearch(projectId: $projectId, query: $query) {
          isAnswerable confidence tookMs
          results {
            isGround matches { start end }
            result { chunkId content score similarity lexical }
          }
        }
      }`,
      { projectId: tenant.projectId, query },
    );
    return explainSearch;
  };

  test('names the chunks that the assistant then uses for its answer', async () => {
    const question = 'Where do guests park?';
    const { results, isAnswerable, confidence, tookMs } = await explain(question);
    expect(isAnswerable).toBe(true);
    expect(tookMs).toBeGreaterThan(0);
    const [best] = results;
    if (best === undefined) throw new Error('nothing was found');
    const { result, matches } = best;
    const letters = [...result.content];
    expect(matches.map(({ start, end }) => letters.slice(start, end).join(''))).toEqual(
      expect.arrayContaining(['Guests', 'park']),
    );
    expect(result.score).toBeGreaterThanOrEqual(Math.min(result.similarity, result.lexical));
    expect(result.score).toBeLessThanOrEqual(Math.max(result.similarity, result.lexical));

    const { sendMessage } = await client.data<{
      sendMessage: { citations: { chunkId: string }[]; confidence: number };
    }>(
      `mutation ($projectId: ID!, $message: String!) {
        sendMessage(input: { projectId: $projectId, message: $message }) { confidence citations { chunkId } }
      }`,
      { projectId: tenant.projectId, message: question },
    );
    expect(results.filter(({ isGround }) => isGround).map((found) => found.result.chunkId)).toEqual(
      sendMessage.citations.map(({ chunkId }) => chunkId),
    );
    expect(confidence).toBeGreaterThan(0.3);
  });

  test('returns no context where the assistant would say that it does not know', async () => {
    const { results, isAnswerable, confidence } = await explain('Who won the world cup in 1954?');
    expect(isAnswerable).toBe(false);
    expect(confidence).toBeLessThanOrEqual(0.2);
    expect(results.some(({ isGround }) => isGround)).toBe(false);
  });

  test('counts the tokens of the question', async () => {
    const read = async () =>
      (
        await client.data<{ usage: { tokens: { embedding: number } } }>(
          'query ($organizationId: ID!) { usage(organizationId: $organizationId) { tokens { embedding } } }',
          { organizationId: tenant.organizationId },
        )
      ).usage.tokens.embedding;
    const before = await read();
    await explain('Where do guests park?');
    expect(await read()).toBeGreaterThan(before);
  });
});

describe('tagDocuments', () => {
  test('changes the tags of many documents, and says which would have too many', async () => {
    const own = await service.createTenant();
    const contents = { 'a.md': 'The pool.', 'b.md': 'The bar.', 'full.md': 'The lift.' };
    const documents = await addDocuments(service, own.projectId, contents);
    const idOf = (name: string) => documents.find((document) => document.name === name)?.id;
    const full = Array.from({ length: 20 }, (_, n) => `t${n}`);
    const { document } = service.system.db;
    const tag = (name: string, tags: string[]) =>
      document.updateMany({ where: { projectId: own.projectId, name }, data: { tags } });
    await tag('a.md', ['old', 'kept']);
    await tag('full.md', full);
    const [foreign] = await document.findMany({ where: { projectId: tenant.projectId }, take: 1 });
    const { tagDocuments } = await client.data<{ tagDocuments: unknown }>(
      `mutation ($input: TagDocumentsInput!) {
        tagDocuments(input: $input) { count failures { documentId message } }
      }`,
      {
        input: {
          projectId: own.projectId,
          documentIds: [...documents.map(({ id }) => id), foreign?.id, 'no id'],
          addTags: ['new'],
          removeTags: ['old'],
        },
      },
    );
    const message = 'tags must have at most 20 entries';
    expect(tagDocuments).toEqual({
      count: 2,
      failures: [{ documentId: idOf('full.md'), message: expect.stringContaining(message) }],
    });
    const tagsOf = async (id?: string) => (await document.findFirst({ where: { id } }))?.tags;
    expect(await tagsOf(idOf('a.md'))).toEqual(['kept', 'new']);
    expect(await tagsOf(idOf('b.md'))).toEqual(['new']);
    expect(await tagsOf(idOf('full.md'))).toEqual(full);
    expect(await tagsOf(foreign?.id)).toEqual([]);
  });
});
