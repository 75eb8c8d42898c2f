import { beforeAll, expect, test } from 'vitest';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import { subscribe } from '../support/api/subscription.ts';
import { addDocuments } from '../support/knowledge.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let root: GraphqlClient;
let projectId: string;

beforeAll(async () => {
  service = await sharedService();
  root = graphqlClient(service.url, await service.token({ role: 'service_role' }));
  ({ projectId } = await service.createTenant());
  await addDocuments(service, projectId, {
    'Tents.md':
      '# Warranty\n\nThe warranty of a tent is five years. Accidental damage is excluded.',
  });
}, 60_000);

test.each([
  ['Hello, how long is the Warrenty of a tent?', 'Hello, how long is the Warranty of a tent?'],
  ['How long is the warranty of a tent?', null],
  ['Do you sell xqzvkw?', null],
])(
  'a search and an answer for "%s" say that it was corrected to "%s"',
  async (query, corrected) => {
    const { explainSearch } = await root.data<{ explainSearch: { correctedQuery: string | null } }>(
      'query ($projectId: ID!, $query: String!) { explainSearch(projectId: $projectId, query: $query) { correctedQuery } }',
      { projectId, query },
    );
    expect(explainSearch.correctedQuery).toBe(corrected);
    const input = { projectId, message: query };
    const { sendMessage } = await root.data<{
      sendMessage: { correctedQuestion: string | null };
    }>(
      'mutation ($input: SendMessageInput!) { sendMessage(input: $input) { correctedQuestion } }',
      { input },
    );
    expect(sendMessage.correctedQuestion).toBe(corrected);
    const { take, disconnect } = await subscribe<{ chat: object }>(
      `${service.url}/graphql/stream`,
      await service.token({ role: 'service_role' }),
      'subscription ($input: SendMessageInput!) { chat(input: $input) { ... on ChatSources { correctedQuestion } } }',
      { input },
    );
    const [, sources] = await take(2);
    disconnect();
    expect(sources?.chat).toEqual({ correctedQuestion: corrected });
  },
);
