import { rateLimitHeaderObjects } from './rate-limit-headers.ts';

/** An error that the OpenAPI document describes once for all operations. */
interface ErrorResponse {
  readonly status: string;
  readonly description: string;
  readonly example: {
    readonly error: string;
    readonly code: string;
    readonly message: string | string[];
  };
  readonly headers?: object;
}

/** The OpenAPI response object of every error that any operation can give, by its name under `components`. */
export function sharedResponses(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(errorResponses).map(([name, error]) => [name, describe(error)]),
  );
}

/** The response of each status, for operations to refer to. */
export function sharedResponseNames(): ReadonlyMap<string, string> {
  return new Map(Object.entries(errorResponses).map(([name, { status }]) => [status, name]));
}

/** The headers of every answer of an operation, by name. */
export const sharedHeaders: Readonly<Record<string, object>> = {
  'X-Request-Id': {
    description:
      'Identifies the request in the log. A short token that is sent in this header is taken over.',
    schema: { type: 'string' },
  },
  ...rateLimitHeaderObjects,
};

/** How a response refers to the shared headers. */
export function sharedHeaderRefs(): Record<string, object> {
  return Object.fromEntries(
    Object.keys(sharedHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

const errorResponses: Readonly<Record<string, ErrorResponse>> = {
  BadRequest: {
    status: '400',
    description:
      'The request is malformed (`MALFORMED_REQUEST`), has invalid fields (`VALIDATION_FAILED`, one message each), lacks `projectId` though the key is org-wide (`PROJECT_REQUIRED`), or sends it though the key is project-scoped (`PROJECT_NOT_ALLOWED`).',
    example: {
      error: 'Bad Request',
      code: 'VALIDATION_FAILED',
      message: ['message must be at most 4000 characters', 'stream must be a boolean'],
    },
  },
  Unauthorized: {
    status: '401',
    description: 'The API key is missing, malformed, revoked or expired (`UNAUTHENTICATED`).',
    example: {
      error: 'Unauthorized',
      code: 'UNAUTHENTICATED',
      message: 'The API key is not valid',
    },
    headers: {
      'WWW-Authenticate': {
        description: 'How to authenticate.',
        schema: { type: 'string', enum: ['Bearer'] },
      },
    },
  },
  Forbidden: {
    status: '403',
    description:
      'The key lacks the scope that the message names (`SCOPE_MISSING`), or is restricted to a different project (`PROJECT_FORBIDDEN`).',
    example: {
      error: 'Forbidden',
      code: 'SCOPE_MISSING',
      message: 'The API key lacks the scope chat',
    },
  },
  NotFound: {
    status: '404',
    description: 'The resource does not exist or belongs to another organization (`NOT_FOUND`).',
    example: { error: 'Not Found', code: 'NOT_FOUND', message: 'Document not found' },
  },
  IdempotencyKeyInUse: {
    status: '409',
    description:
      'A request with the same `Idempotency-Key` is still running (`IDEMPOTENCY_KEY_IN_USE`).',
    example: {
      error: 'Conflict',
      code: 'IDEMPOTENCY_KEY_IN_USE',
      message: 'A request with this Idempotency-Key is still running: try again when it has ended',
    },
    headers: {
      'Retry-After': {
        description: 'Seconds after which to ask again.',
        schema: { type: 'integer' },
      },
    },
  },
  PayloadTooLarge: {
    status: '413',
    description:
      "The file exceeds the plan's limit, or the body is longer than any valid one (`PAYLOAD_TOO_LARGE`).",
    example: {
      error: 'Payload Too Large',
      code: 'PAYLOAD_TOO_LARGE',
      message: "The file exceeds the plan's limit of 10000000 bytes",
    },
  },
  IdempotencyKeyReused: {
    status: '422',
    description:
      'The `Idempotency-Key` belongs to a different request of the last 24 hours (`IDEMPOTENCY_KEY_REUSED`).',
    example: {
      error: 'Unprocessable Entity',
      code: 'IDEMPOTENCY_KEY_REUSED',
      message:
        'The Idempotency-Key belongs to a different request: send every new request with a new key',
    },
  },
  TooManyRequests: {
    status: '429',
    description:
      "The key's rate limit is exceeded (`RATE_LIMITED`). Wait as long as `Retry-After` says, and back off exponentially where several clients share the key.",
    example: {
      error: 'Too Many Requests',
      code: 'RATE_LIMITED',
      message: 'The API key may make 60 requests a minute. Retry in 42 s',
    },
    headers: {
      'Retry-After': {
        description: 'Whole seconds until a new window begins and a request can succeed.',
        schema: { type: 'integer', minimum: 1, maximum: 60 },
      },
    },
  },
  ServerError: {
    status: '5XX',
    description:
      'A failure on the side of the service (`INTERNAL`, `MODEL_ERROR`, `UNAVAILABLE`). Retry with exponential back-off.',
    example: {
      error: 'Service Unavailable',
      code: 'UNAVAILABLE',
      message: 'The service cannot answer at the moment',
    },
    headers: {
      'Retry-After': {
        description: 'Whole seconds after which to ask again. Always there with 503.',
        required: false,
        schema: { type: 'integer', minimum: 1 },
      },
    },
  },
};

function describe({ status, description, example, headers }: ErrorResponse): object {
  const body = {
    statusCode: Number(status.replace('XX', '03')),
    ...example,
    path: '/api/v1/knowledge/documents',
    timestamp: '2026-11-21T09:30:00.000Z',
    requestId: '0f4c7bd1-40cf-4b5e-9a43-4ce6ac1d0a5b',
  };
  return {
    description,
    headers: { ...headers, ...errorHeaders(status) },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ErrorBody' },
        example: body,
      },
    },
  };
}

/** Where the key is not known, nothing is known of its rate limit. That is so for any 401, and possible for some. */
function errorHeaders(status: string): Record<string, object> {
  const { 'X-Request-Id': requestId = {}, ...rateLimit } = sharedHeaderRefs();
  if (status === '401') return { 'X-Request-Id': requestId };
  if (status !== '400' && status !== '5XX') return { 'X-Request-Id': requestId, ...rateLimit };
  const optional = Object.entries(rateLimitHeaderObjects).map(([name, header]) => [
    name,
    { ...header, required: false },
  ]);
  return { 'X-Request-Id': requestId, ...Object.fromEntries(optional) };
}
