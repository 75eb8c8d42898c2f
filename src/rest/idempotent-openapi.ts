/** The header of a request that is to be carried out once, however often it is sent. */
export const idempotencyKey = 'Idempotency-Key';

/** The header of an answer that was given before. */
export const idempotentReplayed = 'Idempotent-Replayed';

/** What the OpenAPI document says of operations that controllers mark with `@Extension('x-idempotent', true)`. */
export const idempotencyKeyParameter = {
  name: idempotencyKey,
  in: 'header',
  required: false,
  description: `Makes it safe to send a request again, for instance after a lost connection: a text of your own, such as a UUID, that is new for every new request.

A repetition (same key, operation, query and body; an upload counts by its file's name and content) is not carried out again. It is given the answer of the first request, byte for byte, with \`Idempotent-Replayed: true\`; a stream as a stream. Another request with the same key gives 422, and a repetition while the first request is running 409.

Answers are kept for 24 hours, for each API key apart. Only successes are: a request that fails, whose stream ends with \`error\`, or whose client leaves before its end frees the key, so that it can be tried again. An answer that was asked for with \`resumable\` goes on when its client leaves, and so does its key: a repetition gives 409 until it ends, then the answer; \`GET /chat/{messageId}/stream\` comes back to it at once.`,
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
    'Only on an answer that was given before to a request with the same `Idempotency-Key`.',
  required: false,
  schema: { type: 'string', enum: ['true'] },
} as const;
