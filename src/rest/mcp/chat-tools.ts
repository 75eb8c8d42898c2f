import { z } from 'zod';
import { DomainError, type ErrorCode } from '../../platform/errors.ts';
import {
  type ChatEvent,
  type ChatResponse,
  chatEventFields,
  readChatDelta,
} from '../chat/chat-response.ts';
import { executeGraphql, graphql, subscribeGraphql } from '../graphql/execute-graphql.ts';
import { documentFilter, documentLink } from './document-filter.ts';
import { defineTool, type ToolCall } from './mcp-tool.ts';
import { shownPlace } from './shown-name.ts';

const citation = z.object({
  documentId: z.string(),
  documentName: z.string(),
  chunkId: z.string(),
  score: z.number(),
  quote: z.string().nullable().describe('Verbatim passage that supports the answer'),
  page: z.int().nullable().describe('Page number from 1 in a PDF'),
  ...documentLink,
});

export const askTool = defineTool({
  name: 'ask',
  scope: 'CHAT',
  title: 'Ask the assistant',
  description:
    "Answers a question from the project's documents, with citations and a calibrated confidence. The documents do not contain the answer if there are no citations.",
  isReadOnly: false,
  input: z.strictObject({
    message: z.string().min(1).max(4_000),
    conversationId: z.string().optional().describe('To continue a conversation'),
    filter: documentFilter,
  }),
  output: z.object({
    conversationId: z.string(),
    messageId: z.string(),
    content: z.string().describe('The marker `[n]` refers to the nth citation'),
    citations: z.array(citation),
    confidence: z.number().describe('Probability that the documents support the answer, 0 to 1'),
  }),
  async run({ call, projectId, request }, input) {
    const variables = { input: { ...input, projectId } };
    const events = await subscribeGraphql(call, askSubscription, variables, (event) => {
      const chat = readChatDelta(event);
      return chat && { chat };
    });
    const { conversationId, messageId, content, citations, confidence } = await readAnswer(
      events,
      reportProgress(request),
    );
    const cited = citations.map(({ startOffset, endOffset, ...shown }) => shown);
    return { conversationId, messageId, content, citations: cited, confidence };
  },
  format: ({ content, citations }) =>
    [content, ...citations.map((citation, index) => `[${index + 1}] ${shownPlace(citation)}`)].join(
      '\n',
    ),
});

const askSubscription = graphql(`
  subscription ask($input: SendMessageInput!) { chat(input: $input) { ${chatEventFields} } }
`);

/** Reads a streamed answer to its end. */
async function readAnswer(
  events: AsyncIterator<{ readonly chat: ChatEvent }, undefined>,
  onProgress: (characters: number) => Promise<void>,
): Promise<ChatResponse> {
  try {
    let characters = 0;
    for (let next = await events.next(); !next.done; next = await events.next()) {
      const event = next.value.chat;
      if (event.__typename === 'ChatDone') return event.reply;
      if (event.__typename === 'ChatError') {
        throw new DomainError(event.code as ErrorCode, event.message);
      }
      if (event.__typename !== 'ChatDelta') continue;
      characters += event.text.length;
      await onProgress(characters);
    }
    throw new DomainError('UNAVAILABLE', 'The answer was interrupted');
  } finally {
    await events.return?.();
  }
}

const progressIntervalMs = 500;

/** Returns a function that sends the length of the answer so far to the client, at most twice a second. */
function reportProgress(request: ToolCall['request']): (characters: number) => Promise<void> {
  const { progressToken } = request._meta ?? {};
  let reportedAt = Number.NEGATIVE_INFINITY;
  return async (progress) => {
    if (progressToken === undefined) return;
    if (performance.now() - reportedAt < progressIntervalMs) return;
    reportedAt = performance.now();
    const message = `${progress} characters written`;
    const params = { progressToken, progress, message };
    await request.notify({ method: 'notifications/progress', params });
  };
}

export const requestHumanTool = defineTool({
  name: 'request_human',
  scope: 'CHAT',
  title: 'Ask for a person',
  description: 'Hands a conversation over to the team. An open request is returned again.',
  isReadOnly: false,
  input: z.strictObject({
    conversationId: z.string(),
    reason: z.string().max(2_000).optional().describe('Shown to the team'),
  }),
  output: z.object({
    handoffId: z.string(),
    conversationId: z.string(),
    isNew: z.boolean().describe('False if a handoff was already open'),
  }),
  async run({ call, projectId }, input) {
    const variables = { input: { ...input, projectId } };
    return (await executeGraphql(call, requestHandoffMutation, variables)).requestHandoff;
  },
  format: ({ isNew, handoffId }) =>
    `${isNew ? 'The handoff was requested' : 'A handoff was already open'} (id ${handoffId}).`,
});

const requestHandoffMutation = graphql(`
  mutation requestHandoff($input: RequestHandoffInput!) {
    requestHandoff(input: $input) { handoffId: id conversationId isNew }
  }
`);
