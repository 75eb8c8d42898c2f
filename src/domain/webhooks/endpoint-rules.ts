import { DomainError } from '../errors.ts';
import { webhookEventTypes } from './webhook-types.ts';

/** What an owner says of an endpoint. */
interface EndpointSettings {
  readonly url?: string | null;
  readonly types?: readonly string[] | null;
}

/**
 * Checks what is given of an endpoint's address and types. Where an address leads is judged with each message, when
 * its name is resolved. Throws `VALIDATION_FAILED`, with one message for each invalid field.
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
  // The parser drops line breaks and tabs, and blanks at both ends.
  if (url === null || !isHttp || /[\s\p{Cc}]/u.test(text)) {
    return `url must be an ${isHttpAllowed ? 'http or https' : 'https'} address`;
  }
  return url.username === '' && url.password === '' ? null : 'url must not contain credentials';
}

function typesProblem(types: readonly string[]): string | null {
  const known: readonly string[] = webhookEventTypes;
  if (types.length > 0 && types.every((type) => known.includes(type))) return null;
  return `types must name one or more of ${known.join(', ')}`;
}
