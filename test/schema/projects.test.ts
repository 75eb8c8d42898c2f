import { beforeAll, describe, expect, test } from 'vitest';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let root: GraphqlClient;
let tenant: Tenant;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
  root = graphqlClient(service.url, await service.token({ role: 'service_role' }));
  tenant = await service.createTenant();
});

test('a change made by someone else since the last read is not overwritten', async () => {
  const { projectId: id } = await service.createTenant();
  const read = () =>
    root.data<{ project: { name: string; updatedAt: string } }>(
      'query ($id: ID!) { project(id: $id) { name updatedAt } }',
      { id },
    );
  const rename = (name: string, ifUpdatedAt?: string) =>
    root.send(
      'mutation ($input: UpdateProjectInput!) { updateProject(input: $input) { name updatedAt } }',
      { input: { id, name, ifUpdatedAt } },
    );
  const { updatedAt } = (await read()).project;
  const [first, second] = await Promise.all([rename('Mine', updatedAt), rename('Ours', updatedAt)]);
  const refused = [first, second].flatMap(({ errors }) => errors ?? []);
  expect(refused).toMatchObject([
    {
      message: 'The project has changed since it was read: read it again and repeat the change',
      extensions: { code: 'CONFLICT' },
    },
  ]);
  const { name, updatedAt: now } = (await read()).project;
  expect(['Mine', 'Ours']).toContain(name);
  expect((await rename('Again', now)).errors).toBeUndefined();
  expect((await rename('Whatever')).errors).toBeUndefined();
  expect((await read()).project.name).toBe('Whatever');
});

describe('the replies to small talk', () => {
  const names = ['greeting', 'thanks', 'goodbye', 'identity', 'help', 'human', 'complaint'];
  const fields = [...names, 'gibberish'].map((name) => `${name}Text`);
  const update = `mutation ($input: UpdateProjectInput!) {
    updateProject(input: $input) { assistant { ${fields.join(' ')} humanRequest } }
  }`;
  const unset = Object.fromEntries(fields.map((field) => [field, null]));

  async function set(assistant: object) {
    const { projectId: id } = tenant;
    const { updateProject } = await root.data<{ updateProject: { assistant: object } }>(update, {
      input: { id, assistant },
    });
    return updateProject.assistant;
  }

  test('are null at first; omitted fields stay, and null restores the default', async () => {
    expect(await set({})).toEqual({ ...unset, humanRequest: 'OFFER' });
    const texts = Object.fromEntries(fields.map((field) => [field, `Text of ${field}`]));
    expect(await set({ ...texts, humanRequest: 'START' })).toEqual({
      ...texts,
      humanRequest: 'START',
    });
    expect(await set({ greetingText: 'Ahoy!' })).toEqual({
      ...{ ...texts, greetingText: 'Ahoy!' },
      humanRequest: 'START',
    });
    expect(await set({ ...unset, humanRequest: null })).toEqual({
      ...unset,
      humanRequest: 'OFFER',
    });
  });

  test('have at most 2,000 characters', async () => {
    const input = { id: tenant.projectId, assistant: { helpText: 'x'.repeat(2_001) } };
    const { errors } = await root.send(update, { input });
    expect(errors).toMatchObject([
      {
        message: 'assistant.helpText must be at most 2000 characters',
        extensions: { code: 'VALIDATION_FAILED' },
      },
    ]);
  });
});

test('a message says which small talk it is, and questions have none', async () => {
  const { sendMessage } = await root.data<{
    sendMessage: { conversationId: string; intent: string };
  }>(
    `mutation ($input: SendMessageInput!) { sendMessage(input: $input) { conversationId intent } }`,
    { input: { projectId: tenant.projectId, message: 'Thank you!' } },
  );
  expect(sendMessage.intent).toBe('THANKS');
  const { conversationId } = sendMessage;
  const asked = await root.data<{ sendMessage: { intent: string | null } }>(
    `mutation ($input: SendMessageInput!) { sendMessage(input: $input) { intent } }`,
    { input: { projectId: tenant.projectId, conversationId, message: 'Where is the harbor?' } },
  );
  expect(asked.sendMessage.intent).toBeNull();
  const { conversation } = await root.data<{
    conversation: { messages: { edges: { node: { intent: string | null } }[] } };
  }>(`query ($id: ID!) { conversation(id: $id) { messages { edges { node { intent } } } } }`, {
    id: conversationId,
  });
  expect(conversation.messages.edges.map(({ node }) => node.intent)).toEqual([
    ...['THANKS', 'THANKS'],
    ...[null, null],
  ]);
});
