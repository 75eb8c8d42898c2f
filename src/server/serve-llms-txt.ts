import { Router } from 'express';
import { applyResponseDefaults, refuseOtherMethods } from '../http/exchange.ts';

/** Serves `GET /llms.txt`: the facts that a language model needs to call the service (llmstxt.org). */
export function llmsTxtRouter(): Router {
  const router = Router({ caseSensitive: true });
  router.use('/llms.txt', applyResponseDefaults());
  router.get('/llms.txt', (_request, response) => {
    response.setHeader('Cache-Control', 'public, max-age=3600');
    response.type('text/plain').send(llmsTxt);
  });
  router.all('/llms.txt', refuseOtherMethods(['GET']));
  return router;
}

const llmsTxt = `# grounded-chat

> Answers questions from the documents of a project, with citations and a calibrated confidence. Hands conversations over
> to people.

Every call has the header \`Authorization: Bearer <API_KEY>\`. A key is bound to one project or valid for the whole
organization. An org-wide key sends \`projectId\` with every call: in the body of POST, PUT and PATCH, else in the query. A
project-scoped key does not send it. Errors are JSON with a stable \`code\`. 429 and 503 say in \`Retry-After\` when to retry.
\`Idempotency-Key\` makes retries safe.

Main calls, below \`/api/v1\`:

- \`POST /chat\` with \`{"message": "…"}\` returns \`{conversationId, messageId, content, citations, confidence, latencyMs}\`. With
  \`"stream": true\` the answer is a stream of server-sent events: \`meta\`, \`sources\`, \`delta\`, \`done\` or \`error\`.
- \`POST /knowledge/search\` with \`{"query": "…"}\` returns passages of documents, best first.
- \`POST /knowledge/documents\` with \`{"name": "…", "content": "…"}\` creates a document. Poll
  \`GET /knowledge/documents/{documentId}\` until \`status\` is \`READY\`.
- \`POST /handoff\` with \`{"conversationId": "…"}\` requests a person.

## Interfaces

- [OpenAPI document](/api/v1/openapi.json): every REST operation, with schemas, examples and the events of webhooks
- [API reference](/api/v1/docs): the same document for people
- [Guides](/docs): how to use, operate and measure the service
- [MCP server](/mcp): Streamable HTTP, with tools to search, ask, read and add documents
- [OpenAI's protocol](/v1/models): Chat Completions, Responses, Embeddings and Models below \`/v1\`
- [GraphQL](/graphql): organizations, projects, keys, documents, conversations and the handoff inbox
`;
