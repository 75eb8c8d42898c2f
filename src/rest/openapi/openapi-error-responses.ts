import { apiVersion, apiVersionHeaderName } from '../../http/api-version.ts';

/** An error response that the OpenAPI document describes once for all operations. */
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

/** Returns the OpenAPI response objects of all errors, by their name under `components`. */
export function errorResponseComponents(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(errorResponses).map(([name, error]) => [name, toResponseObject(error)]),
  );
}

/** Returns the name of the response object for each status. */
export function errorResponseNamesByStatus(): ReadonlyMap<string, string> {
  return new Map(Object.entries(errorResponses).map(([name, { status }]) => [status, name]));
}

const rateLimitHeaderObjects = {
  'RateLimit-Policy': {
    description: `The key's limit: at most \`q\` requests in a window of \`w\` seconds. A window starts with the first request after the previous window has ended. All requests of the key count, refused ones too.`,
    schema: { type: 'string' },
    example: '"default";q=60;w=60',
  },
  RateLimit: {
    description:
      'The remaining limit: `r` more requests in the current window, which ends in `t` seconds.',
    schema: { type: 'string' },
    example: '"default";r=57;t=42',
  },
};

/** The headers of every response of an operation, by name. */
export const sharedHeaders: Readonly<Record<string, object>> = {
  'X-Request-Id': {
    description:
      'Id of the request in the log. The service uses the id from the request header if it is a short plain token.',
    schema: { type: 'string' },
  },
  [apiVersionHeaderName]: {
    description: 'Version of the interface: `x-api-version` in `info` of this document.',
    schema: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
    example: apiVersion,
  },
  ...rateLimitHeaderObjects,
};

/** Returns references to the shared headers. */
export function sharedHeaderRefs(): Record<string, object> {
  return Object.fromEntries(
    Object.keys(sharedHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

const errorResponses: Readonly<Record<string, ErrorResponse>> = {
  BadRequest: {
    status: '400',
    description:
      'The request is malformed (`MALFORMED_REQUEST`), has invalid fields (`VALIDATION_FAILED`, one message each), lacks `projectId` although the key is org-wide (`PROJECT_REQUIRED`), or has `projectId` although the key is project-scoped (`PROJECT_NOT_ALLOWED`).',
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
        description: 'The authentication scheme.',
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
        description: 'Seconds to wait before a retry.',
        schema: { type: 'integer' },
      },
    },
  },
  PayloadTooLarge: {
    status: '413',
    description:
      "The file exceeds the plan's limit, or the body exceeds the limit of the operation (`PAYLOAD_TOO_LARGE`).",
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
      "The key's rate limit is exceeded (`RATE_LIMITED`). Wait for the time in `Retry-After`. If several clients share the key, back off exponentially.",
    example: {
      error: 'Too Many Requests',
      code: 'RATE_LIMITED',
      message: 'The API key may make 60 requests a minute. Retry in 42 s',
    },
    headers: {
      'Retry-After': {
        description: 'Whole seconds until a new window starts and a request can succeed.',
        schema: { type: 'integer', minimum: 1, maximum: 60 },
      },
    },
  },
  InternalServerError: {
    status: '500',
    description: 'The service failed (`INTERNAL`). Retry with exponential backoff.',
    example: {
      error: 'Internal Server Error',
      code: 'INTERNAL',
      message:
        'Something went wrong on our side. Try again later, and report the request id if it fails again',
    },
  },
  BadGateway: {
    status: '502',
    description: 'The model server failed (`MODEL_ERROR`). Retry with exponential backoff.',
    example: {
      error: 'Bad Gateway',
      code: 'MODEL_ERROR',
      message: 'The model returned an empty answer. Try again',
    },
  },
  ServiceUnavailable: {
    status: '503',
    description:
      'The service cannot answer at the moment (`UNAVAILABLE`). Wait for the time in `Retry-After`, then retry.',
    example: {
      error: 'Service Unavailable',
      code: 'UNAVAILABLE',
      message: 'The service cannot answer at the moment',
    },
    headers: {
      'Retry-After': {
        description: 'Whole seconds to wait before a retry.',
        schema: { type: 'integer', minimum: 1 },
      },
    },
  },
};

function toResponseObject({ status, description, example, headers }: ErrorResponse): object {
  const body = {
    statusCode: Number(status),
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

/**
 * Responses have rate limit headers only if the key was valid. So 401 never has them, and 400 and 5xx may not have
 * them.
 */
function errorHeaders(status: string): Record<string, object> {
  const all = sharedHeaderRefs();
  const always = Object.entries(all).filter(([name]) => !(name in rateLimitHeaderObjects));
  if (status === '401') return Object.fromEntries(always);
  if (status !== '400' && Number(status) < 500) return all;
  const optional = Object.entries(rateLimitHeaderObjects).map(([name, header]) => [
    name,
    { ...header, required: false },
  ]);
  return Object.fromEntries([...always, ...optional]);
}
