import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sendMessage } from '../../src/domain/chat/send-message.ts';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import { addDocuments } from '../support/knowledge.ts';
import { type OpenAiServer, startOpenAiServer } from '../support/servers/openai-server.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { sharedDatabase, sharedService } from '../support/shared-service.ts';

const fields = 'temperature reasoningEffort maxOutputTokens contextChunks contextTokens';
const unset = {
  temperature: null,
  reasoningEffort: null,
  maxOutputTokens: null,
  contextChunks: null,
  contextTokens: null,
};
const update = `mutation ($input: UpdateProjectInput!) {
  updateProject(input: $input) { languageModel { ${fields} } }
}`;
const preview = `query ($projectId: ID!, $languageModel: LanguageModelSettingsInput) {
  previewAnswer(
    projectId: $projectId, question: "Until when is check-out in the house?", languageModel: $languageModel
  ) { content }
}`;

describe('an installation with a language model', () => {
  let models: OpenAiServer;
  let service: TestService;
  let root: GraphqlClient;
  let projectId: string;
  beforeAll(async () => {
    models = await startOpenAiServer();
    service = await startTestService({
      openAi: models.chatModelConfig,
      chat: {
        ...{ temperature: 0.4, reasoningEffort: null, maxOutputTokens: 800 },
        ...{ timeoutMs: 20_000, maxContextChunks: 3, maxContextTokens: 2_000, maxSectionTokens: 0 },
      },
      database: await sharedDatabase(),
    });
    root = graphqlClient(service.url, await service.token({ role: 'service_role' }));
  });
  afterAll(async () => {
    await service?.stop();
    await models?.close();
  });
  beforeEach(async () => {
    ({ projectId } = await service.createTenant());
  });

  async function set(languageModel: object): Promise<object> {
    const { updateProject } = await root.data<{ updateProject: { languageModel: object } }>(
      update,
      { input: { id: projectId, languageModel } },
    );
    return updateProject.languageModel;
  }

  test('is described, and projects have none of its settings at first', async () => {
    const { project } = await root.data<{ project: object }>(
      `query ($id: ID!) {
        project(id: $id) { languageModel { ${fields} } installedLanguageModel { name ${fields} } }
      }`,
      { id: projectId },
    );
    expect(project).toEqual({
      languageModel: unset,
      installedLanguageModel: {
        ...{ name: 'stand-in', temperature: 0.4, reasoningEffort: null },
        ...{ maxOutputTokens: 800, contextChunks: 3, contextTokens: 2_000 },
      },
    });
  });

  test('keeps omitted settings of a project, and null restores those of the installation', async () => {
    expect(await set({ temperature: 0, contextChunks: 2 })).toEqual({
      ...{ ...unset, temperature: 0, contextChunks: 2 },
    });
    expect(await set({ reasoningEffort: 'low' })).toEqual({
      ...{ ...unset, temperature: 0, contextChunks: 2, reasoningEffort: 'low' },
    });
    expect(await set({ temperature: null })).toEqual({
      ...{ ...unset, contextChunks: 2, reasoningEffort: 'low' },
    });
  });

  test('receives the settings of the project with each request', async () => {
    await addDocuments(service, projectId, {
      'Stay.md': 'Check-out in the old house is until 11:00.',
      'Late.md': 'Check-out in the new house is until 12:00.',
      'Desk.md': 'Check-out in the garden house is until 10:00.',
    });
    const installed = { temperature: 0.4, reasoning_effort: undefined, max_tokens: 800 };
    const ask = async () => {
      const first = models.requests.length;
      await sendMessage(service.system, {
        projectId,
        message: 'Until when is check-out in the house?',
      });
      const { temperature, reasoning_effort, max_tokens, messages } =
        models.requests[first]?.body ?? {};
      const sources = [...JSON.stringify(messages).matchAll(/(?:Stay|Late|Desk)\.md/g)].length;
      return { temperature, reasoning_effort, max_tokens, sources };
    };
    expect(await ask()).toEqual({ ...installed, sources: 3 });
    await set({ temperature: 1.5, reasoningEffort: 'low', maxOutputTokens: 99, contextChunks: 1 });
    expect(await ask()).toEqual({
      ...{ temperature: 1.5, reasoning_effort: 'low', max_tokens: 99, sources: 1 },
    });
    const first = models.requests.length;
    await root.data(preview, { projectId, languageModel: { temperature: 0.2 } });
    expect(models.requests[first]?.body).toMatchObject({ temperature: 0.2, max_tokens: 99 });
    const above = await root.send(preview, { projectId, languageModel: { contextChunks: 4 } });
    expect(above.errors?.[0]?.extensions.code).toBe('VALIDATION_FAILED');
    const other = await service.createTenant();
    projectId = other.projectId;
    await addDocuments(service, projectId, { 'Stay.md': 'Check-out is until 11:00.' });
    expect(await ask()).toEqual({ ...installed, sources: 1 });
  });

  test('limits a project that was given more before the installation lowered its limits', async () => {
    await addDocuments(service, projectId, { 'Stay.md': 'Check-out is until 11:00.' });
    await service.system.db.project.update({
      where: { id: projectId },
      data: { chatMaxOutputTokens: 5_000 },
    });
    const first = models.requests.length;
    await sendMessage(service.system, { projectId, message: 'Until when is check-out?' });
    expect(models.requests[first]?.body).toMatchObject({ max_tokens: 800 });
  });

  test('has limits that a project cannot exceed', async () => {
    const languageModel = { maxOutputTokens: 801, contextChunks: 4, contextTokens: 2_001 };
    const { errors } = await root.send(update, { input: { id: projectId, languageModel } });
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      messages: [
        "languageModel.maxOutputTokens must be at most 800, the installation's limit",
        "languageModel.contextChunks must be at most 3, the installation's limit",
        "languageModel.contextTokens must be at most 2000, the installation's limit",
      ],
    });
    expect(await set({})).toEqual(unset);
  });

  test.each([
    [{ temperature: 2.1 }, 'temperature must be a number between 0 and 2'],
    [
      { reasoningEffort: 'Low!' },
      'reasoningEffort must be 1 to 20 letters from a to z, such as low',
    ],
    [{ maxOutputTokens: 15 }, 'maxOutputTokens must be an integer between 16 and 1000000'],
    [{ contextChunks: 0 }, 'contextChunks must be an integer between 1 and 50'],
    [{ contextTokens: 199 }, 'contextTokens must be an integer between 200 and 1000000'],
  ])('refuses %j', async (languageModel, message) => {
    const { errors } = await root.send(update, { input: { id: projectId, languageModel } });
    expect(errors?.[0]?.message).toBe(`languageModel.${message}`);
  });
});

test('an installation without a language model says so', async () => {
  const service = await sharedService({ isWorker: false });
  const root = graphqlClient(service.url, await service.token({ role: 'service_role' }));
  const { projectId: id } = await service.createTenant();
  const { project } = await root.data<{ project: object }>(
    'query ($id: ID!) { project(id: $id) { installedLanguageModel { name } } }',
    { id },
  );
  expect(project).toEqual({ installedLanguageModel: null });
});
