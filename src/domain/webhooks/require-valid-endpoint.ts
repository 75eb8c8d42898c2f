import { DomainError } from '../../platform/errors.ts';
import { webhookEventTypes } from './webhook-event-types.ts';

/** Settings of an endpoint that a user has entered. */
interface EndpointSettings {
  readonly url?: string | null;
  readonly types?: readonly string[] | null;
}

/**
 * Validates the URL and the types, if they are given. Does not check IP addresses here: they are checked after DNS
 * resolution, when a message is sent.
 * @throws DomainError VALIDATION_FAILED with one message per invalid field
 */
export function requireValidEndpoint(
  { url, types }: EndpointSettings,
  { allowsPrivateTargets }: { readonly allowsPrivateTargets: boolean },
): void {
  const problems = [
    url == null ? null : urlProblem(url, allowsPrivateTargets),
    types == null ? null : typesProblem(types),
  ].filter((problem) => problem !== null);
  if (problems.length > 0) throw new DomainError('VALIDATION_FAILED', problems);
}

function urlProblem(text: string, isHttpAllowed: boolean): string | null {
  const url = URL.parse(text);
  const isHttp = url?.protocol === 'https:' || (url?.protocol === 'http:' && isHttpAllowed);
  // `URL.parse` ignores line breaks, tabs, and spaces at both ends, so check for them here.
  if (url === null || !isHttp || /[\s\p{Cc}]/u.test(text)) {
    return isHttpAllowed ? 'url must be an http or https address' : httpsOnly;
  }
  return url.username === '' && url.password === '' ? null : 'url must not contain credentials';
}

const httpsOnly =
  'url must be an https address. For development, ALLOW_PRIVATE_WEBHOOKS=true allows http and private addresses';

function typesProblem(types: readonly string[]): string | null {
  const known: readonly string[] = webhookEventTypes;
  if (types.length > 0 && types.every((type) => known.includes(type))) return null;
  return `types must name one or more of ${known.join(', ')}`;
}
