import { type OpenAiServer, startOpenAiServer } from './servers/openai-server.ts';
import { startTestService, type TestService } from './service.ts';
import { sharedDatabase } from './shared-service.ts';

/** Starts a service whose answers are those of a scripted model server. The service stops the model server, too. */
export async function startServiceWithModel(): Promise<{
  readonly models: OpenAiServer;
  readonly service: TestService;
}> {
  const models = await startOpenAiServer();
  const database = await sharedDatabase();
  const service = await startTestService({ openAi: models.chatModelConfig, database });
  const stop = async () => {
    await service.stop();
    await models.close();
  };
  return { models, service: { ...service, stop } };
}
