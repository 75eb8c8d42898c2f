import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { ApiKeyCaller } from '../../domain/caller.ts';
import type { Adapters } from '../../domain/context.ts';
import { requireScope } from '../../domain/permissions.ts';
import {
  applyResponseDefaults,
  assignRequestId,
  refuseOtherMethods,
  routeNotFound,
  sendJson,
} from '../../http/exchange.ts';
import { type KeyApiOptions, keyApiDependencies } from '../key-api-dependencies.ts';
import type { KeyApiDependencies, RestCall } from '../request/rest-call.ts';
import { openCall } from '../request/serve-operation.ts';
import { chatCompletionFormat, chatCompletionRequest } from './chat-completions.ts';
import { embed, embeddingsRequest } from './embeddings.ts';
import { getModel, listModels } from './models.ts';
import { openAiErrorHandler } from './openai-error.ts';
import { projectOfModel, readRequest } from './read-request.ts';
import { readQuestion } from './request-fields.ts';
import { conversationOf, responseRequest } from './response-request.ts';
import { responseFormat } from './responses.ts';
import { sendAnswer, streamAnswer } from './send-answer.ts';

/** Creates the interface for clients of OpenAI's API, to be mounted at `/v1`. */
export function createOpenAiApi(adapters: Adapters, options: KeyApiOptions): Router {
  return openAiRouter(keyApiDependencies(adapters, 'OPENAI', options));
}

/** Serves OpenAI's Chat Completions, Responses, Embeddings and Models. Each project is a model. */
function openAiRouter(service: KeyApiDependencies): Router {
  const router = Router({ caseSensitive: true });
  router.use(assignRequestId(), applyResponseDefaults());
  const serve = serveWith.bind(undefined, service);
  router.get(
    '/models',
    serve('CHAT', async (call) => send(call, await listModels(call))),
  );
  router.get(
    '/models/:model',
    serve('CHAT', async (call, { params }) => send(call, await getModel(call, `${params.model}`))),
  );
  router.post('/chat/completions', serve('CHAT', createChatCompletion));
  router.post('/responses', serve('CHAT', createResponse));
  router.post('/embeddings', serve('KNOWLEDGE_READ', createEmbeddings));
  router.all(['/models', '/models/:model'], refuseOtherMethods(['GET']));
  router.all(['/chat/completions', '/responses', '/embeddings'], refuseOtherMethods(['POST']));
  router.use((_request, _response, next) => next(routeNotFound()));
  router.use(openAiErrorHandler(service.log));
  return router;
}

type Handler = (call: RestCall, request: Request) => Promise<void>;

/** Returns a handler that first checks the key, the rate limit and the scope. */
function serveWith(
  service: KeyApiDependencies,
  scope: ApiKeyCaller['scopes'][number],
  handle: Handler,
): RequestHandler {
  return async (request, response: Response) => {
    const authorize = (caller: ApiKeyCaller) => requireScope(caller, scope);
    await handle(await openCall(service, request, response, authorize), request);
  };
}

function send({ response }: RestCall, body: object): void {
  sendJson(response, 200, body);
}

async function createChatCompletion(call: RestCall, request: Request): Promise<void> {
  const body = await readRequest(request, chatCompletionRequest);
  const conversationId = body.metadata?.conversation_id;
  const input = askInput(call, body, readQuestion(body.messages, 'messages'), conversationId);
  const includesUsage = body.stream_options?.include_usage ?? false;
  const format = chatCompletionFormat({ model: body.model, includesUsage });
  await (body.stream ? streamAnswer : sendAnswer)(call, input, format);
}

async function createResponse(call: RestCall, request: Request): Promise<void> {
  const body = await readRequest(request, responseRequest);
  const input = askInput(call, body, readQuestion(body.input, 'input'), conversationOf(body));
  await (body.stream ? streamAnswer : sendAnswer)(call, input, responseFormat(body));
}

async function createEmbeddings(call: RestCall, request: Request): Promise<void> {
  const body = await readRequest(request, embeddingsRequest);
  const projectId = projectOf(call, body.model);
  send(call, await embed(call, projectId, body));
}

/** The history in the request is used only if there is no stored conversation. */
function askInput(
  call: RestCall,
  body: {
    readonly model: string;
    readonly user?: string | undefined;
    readonly filter?: { readonly [field: string]: unknown } | undefined;
  },
  { message, history }: ReturnType<typeof readQuestion>,
  conversationId: string | undefined,
) {
  return {
    projectId: projectOf(call, body.model),
    message,
    conversationId,
    endUserId: body.user,
    filter: body.filter,
    history: conversationId === undefined ? history : undefined,
  };
}

function projectOf({ caller, response }: RestCall, model: string): string {
  const projectId = projectOfModel(caller, model);
  response.locals.projectId = projectId;
  return projectId;
}
