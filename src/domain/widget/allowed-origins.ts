import { DomainError } from '../../platform/errors.ts';

/** Maximum number of origins per widget. A constraint of the table also enforces this limit. */
const maxAllowedOrigins = 50;
const maxLength = 300;

const originPattern =
  /^(?:(https?):\/\/)?(\*\.)?((?:\[[\da-f:.]+\])|[^\s/?#@:*[\]\\]+)(?::(\d{1,5}))?\/?$/iu;
const localHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Normalizes origins for comparison: `shop.example.com` becomes `https://shop.example.com`. `*.example.com` matches
 * all subdomains, but not `example.com` itself. Removes duplicates and keeps the order.
 * @throws DomainError VALIDATION_FAILED with one message per invalid origin. Only https is allowed, and http for
 *   localhost
 */
export function normalizeAllowedOrigins(texts: readonly string[]): string[] {
  if (texts.length > maxAllowedOrigins) {
    throw new DomainError('VALIDATION_FAILED', [
      `allowedOrigins must name at most ${maxAllowedOrigins} domains`,
    ]);
  }
  const parsed = texts.map((text) => ({ text, origin: normalizeOrigin(text.trim()) }));
  const problems = parsed.flatMap(({ text, origin }) =>
    origin === null ? [invalidOriginMessage(text)] : [],
  );
  if (problems.length > 0) throw new DomainError('VALIDATION_FAILED', problems);
  return [...new Set(parsed.flatMap(({ origin }) => origin ?? []))];
}

function invalidOriginMessage(text: string): string {
  const shown = text.length > 80 ? `${text.slice(0, 79)}…` : text;
  return `allowedOrigins must be domains such as https://www.example.com or https://*.example.com (http only for localhost): ${JSON.stringify(shown)} is not`;
}

function normalizeOrigin(text: string): string | null {
  const [, scheme = '', wildcard = '', host = '', port = ''] =
    (text.length <= maxLength && originPattern.exec(text)) || [];
  if (host === '') return null;
  const url = URL.parse(
    `${scheme || (isLocalHost(host) ? 'http' : 'https')}://${host}${port && `:${port}`}`,
  );
  if (url === null || url.pathname !== '/' || url.username !== '' || url.search !== '') return null;
  if (url.protocol === 'http:' && !isLocalHost(url.hostname)) return null;
  if (!isLocalHost(url.hostname) && !isDomainName(url.hostname)) return null;
  if (wildcard === '') return url.origin;
  // Rejects a wildcard before a single label, such as `*.com`, because it would match all sites of a top-level domain.
  return isDomainName(url.hostname) ? url.origin.replace('://', '://*.') : null;
}

function isLocalHost(host: string): boolean {
  return localHosts.has(host.toLowerCase());
}

/**
 * Returns whether the host is a domain name with at least two labels. IP addresses are rejected, because their owner
 * can change.
 */
function isDomainName(host: string): boolean {
  return /^[a-z\d_-]+(?:\.[a-z\d_-]+)*\.[a-z][a-z\d-]*$/.test(host);
}

/** Returns whether the list allows an origin. The origin is in the format in which a browser sends it. */
export function isAllowedOrigin(origin: string, allowed: readonly string[]): boolean {
  // Rejects `null` and other values that are not origins.
  if (origin.includes('*') || URL.parse(origin)?.origin !== origin) return false;
  if (allowed.includes(origin)) return true;
  return allowed.some((known) => {
    const [scheme = '', suffix = ''] = known.split('://*');
    return (
      suffix !== '' && origin.startsWith(`${scheme}://`) && isSubdomain(origin, scheme, suffix)
    );
  });
}

/** Returns whether the origin is a subdomain. `suffix` starts with a dot, and at least one label must precede it. */
function isSubdomain(origin: string, scheme: string, suffix: string): boolean {
  return origin.endsWith(suffix) && origin.length > `${scheme}://${suffix}`.length;
}
