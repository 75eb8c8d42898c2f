import { beforeAll, expect, test } from 'vitest';
import { sendMessage } from '../../src/domain/chat/send-message.ts';
import type { GraphqlClient } from '../support/api/graphql-client.ts';
import { addDocuments } from '../support/knowledge.ts';
import { storedState } from '../support/pages/reply-drafts.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;

beforeAll(async () => {
  service = await sharedService();
  tenant = await service.createTenant();
  await addDocuments(service, tenant.projectId, {
    'Tents.md': '# Warranty\n\nThe warranty of a tent is five years.',
  });
}, 120_000);

const query = `query ($projectId: ID!, $question: String!) {
  previewAnswer(projectId: $projectId, question: $question) {
    content confidence isAnswered citations { documentName }
  }
}`;

const preview = async (client: GraphqlClient, question: string) =>
  client.send(query, { projectId: tenant.projectId, question });

test("a preview is the assistant's answer, and nothing but its tokens is stored", async () => {
  const agent = await tenant.member('AGENT');
  const question = 'How long is the warranty of a tent?';
  const { projectId } = tenant;
  const { content, confidence } = await sendMessage(service.system, {
    ...{ projectId, message: question },
  });
  const before = await storedState(service, tenant);
  const { data } = await preview(agent, question);
  const citations = [{ documentName: 'Tents.md' }];
  expect(data?.previewAnswer).toEqual({ content, confidence, isAnswered: true, citations });
  const unknown = await preview(agent, 'Who won the regatta?');
  expect(unknown.data?.previewAnswer).toMatchObject({ isAnswered: false, citations: [] });
  const after = await storedState(service, tenant);
  expect(after.rows).toEqual(before.rows);
  expect(after.usage.messages).toBe(before.usage.messages);
  expect(after.usage.embeddingTokens).toBeGreaterThan(before.usage.embeddingTokens);
});

test('a preview tries another threshold and settings of the model', async () => {
  const agent = await tenant.member('AGENT');
  const question = 'How long is the warranty of a tent?';
  const tryQuery = `query ($projectId: ID!, $question: String!, $threshold: Float, $model: LanguageModelSettingsInput) {
    previewAnswer(
      projectId: $projectId, question: $question, confidenceThreshold: $threshold, languageModel: $model
    ) { citations { documentName } }
  }`;
  const { projectId } = tenant;
  const attempt = (tried: Record<string, unknown>) =>
    agent.send(tryQuery, { projectId, question, ...tried });
  const cited = { citations: [{ documentName: 'Tents.md' }] };
  expect((await attempt({ threshold: 0 })).data?.previewAnswer).toEqual(cited);
  expect((await attempt({ threshold: null })).data?.previewAnswer).toEqual(cited);
  expect((await attempt({ threshold: 1 })).data?.previewAnswer).toEqual({ citations: [] });
  expect((await attempt({})).data?.previewAnswer).toEqual(cited);
  const codeOf = async (tried: Record<string, unknown>) =>
    (await attempt(tried)).errors?.[0]?.extensions.code;
  expect(await codeOf({ threshold: 1.1 })).toBe('VALIDATION_FAILED');
  expect(await codeOf({ model: { temperature: 3 } })).toBe('VALIDATION_FAILED');
});

test('blank or long questions are refused, and many previews in a minute', async () => {
  const codeOf = async (client: GraphqlClient, question = 'Who?') =>
    (await preview(client, question)).errors?.[0]?.extensions.code;
  const agent = await tenant.member('AGENT');
  expect(await codeOf(agent, ' ')).toBe('VALIDATION_FAILED');
  expect(await codeOf(agent, 'a'.repeat(4_001))).toBe('VALIDATION_FAILED');
  const codes = await Promise.all(Array.from({ length: 21 }, () => codeOf(agent)));
  expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(1);
});
