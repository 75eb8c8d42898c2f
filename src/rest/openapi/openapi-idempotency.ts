/** Request header. Requests with the same value are executed only once. */
export const idempotencyKeyHeaderName = 'Idempotency-Key';

/** Response header that marks a stored response that is sent again. */
export const idempotentReplayedHeaderName = 'Idempotent-Replayed';

/** OpenAPI parameter of operations that controllers mark with `@Extension('x-idempotent', true)`. */
export const idempotencyKeyParameter = {
  name: idempotencyKeyHeaderName,
  in: 'header',
  required: false,
  description: `Makes retries safe, for example after a lost connection. Send a unique value of your own, such as a UUID, with every new request.

A repeated request has the same key, operation, query and body; an upload is compared by file name and content. It is not executed again: it returns the stored response of the first request, byte for byte, with \`Idempotent-Replayed: true\`. A stream is repeated as a stream. If the service is killed after it has created the document, handoff, reply or answer and before it has stored the response, the repeated request returns that document, handoff, reply or answer. A different request with the same key returns 422. A repeated request returns 409 while the first one is running.

Responses are stored for 24 hours, separately for each API key. Only successes are stored: the key becomes free if the request fails, its stream ends with \`error\`, or its client disconnects early. An answer requested with \`resumable\` continues when its client disconnects and keeps its key: a repeated request returns 409 until the answer ends, then the answer. \`GET /chat/{messageId}/stream\` resumes it at once.`,
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    pattern: '^[ -~]*$',
    'x-pattern-message': 'must be printable ASCII characters',
  },
  example: '5f0c1f7e-6a2b-4d3a-9b0e-2f6c8d1e4a77',
} as const;

export const idempotentReplayedHeader = {
  description:
    'Sent only with a stored response to an earlier request with the same `Idempotency-Key`.',
  required: false,
  schema: { type: 'string', enum: ['true'] },
} as const;
