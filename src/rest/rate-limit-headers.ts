import { type RateLimit, rateWindowSeconds } from '../domain/usage/rate-limit.ts';

/** The headers of draft-ietf-httpapi-ratelimit-headers: the limit, and where the key stands. */
export function rateLimitHeaders({
  limit,
  remaining,
  resetSeconds,
}: RateLimit): Map<string, string> {
  return new Map([
    ['RateLimit-Policy', `"default";q=${limit};w=${rateWindowSeconds}`],
    ['RateLimit', `"default";r=${remaining};t=${resetSeconds}`],
  ]);
}

/** The same for the OpenAPI document. */
export const rateLimitHeaderObjects = {
  'RateLimit-Policy': {
    description: `The key's limit: it may make \`q\` requests in a window of \`w\` seconds, which begins with the first request after the last window has ended. All of the key's requests count, refused ones too.`,
    schema: { type: 'string' },
    example: '"default";q=60;w=60',
  },
  RateLimit: {
    description:
      'What is left of the limit: `r` more requests in the present window, which ends in `t` seconds.',
    schema: { type: 'string' },
    example: '"default";r=57;t=42',
  },
};
