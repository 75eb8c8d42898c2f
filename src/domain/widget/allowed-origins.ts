import { DomainError } from '../errors.ts';

/** As many as the table takes. */
const maxAllowedOrigins = 50;
const maxLength = 300;

const pattern =
  /^(?:(https?):\/\/)?(\*\.)?((?:\[[\da-f:.]+\])|[^\s/?#@:*[\]\\]+)(?::(\d{1,5}))?\/?$/iu;
const localHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The origins that people have written, as they are compared: `shop.example.com` is `https://shop.example.com`, and
 * `*.example.com` stands for all below `example.com`, not for itself. Each once, in their order.
 * Throws `VALIDATION_FAILED`, with a message for each that is not an origin of https, or of http on this machine.
 */
export function readAllowedOrigins(texts: readonly string[]): string[] {
  if (texts.length > maxAllowedOrigins) {
    throw new DomainError('VALIDATION_FAILED', [
      `allowedOrigins must name at most ${maxAllowedOrigins} domains`,
    ]);
  }
  const read = texts.map((text) => ({ text, origin: readOrigin(text.trim()) }));
  const problems = read.flatMap(({ text, origin }) => (origin === null ? [problemOf(text)] : []));
  if (problems.length > 0) throw new DomainError('VALIDATION_FAILED', problems);
  return [...new Set(read.flatMap(({ origin }) => origin ?? []))];
}

function problemOf(text: string): string {
  const shown = text.length > 80 ? `${text.slice(0, 79)}…` : text;
  return `allowedOrigins must be domains such as https://www.example.com or https://*.example.com (http is for localhost alone): ${JSON.stringify(shown)} is not`;
}

function readOrigin(text: string): string | null {
  const [, scheme = '', wildcard = '', host = '', port = ''] =
    (text.length <= maxLength && pattern.exec(text)) || [];
  if (host === '') return null;
  const url = URL.parse(
    `${scheme || (isLocal(host) ? 'http' : 'https')}://${host}${port && `:${port}`}`,
  );
  if (url === null || url.pathname !== '/' || url.username !== '' || url.search !== '') return null;
  if (url.protocol === 'http:' && !isLocal(url.hostname)) return null;
  if (!isLocal(url.hostname) && !isName(url.hostname)) return null;
  if (wildcard === '') return url.origin;
  // Below one label there are all the sites of a country.
  return isName(url.hostname) ? url.origin.replace('://', '://*.') : null;
}

function isLocal(host: string): boolean {
  return localHosts.has(host.toLowerCase());
}

/** A name of two labels or more, and no address: those can be anybody's tomorrow. */
function isName(host: string): boolean {
  return /^[a-z\d_-]+(?:\.[a-z\d_-]+)*\.[a-z][a-z\d-]*$/.test(host);
}

/** Whether a page of this origin, spelt as browsers do, is on a site of the list. */
export function isAllowedOrigin(origin: string, allowed: readonly string[]): boolean {
  // `null` and everything else that is no origin is on no list.
  if (origin.includes('*') || URL.parse(origin)?.origin !== origin) return false;
  if (allowed.includes(origin)) return true;
  return allowed.some((known) => {
    const [scheme = '', rest = ''] = known.split('://*');
    return rest !== '' && origin.startsWith(`${scheme}://`) && endsWithin(origin, scheme, rest);
  });
}

/** `rest` begins with the dot that has to stand behind at least one label. */
function endsWithin(origin: string, scheme: string, rest: string): boolean {
  return origin.endsWith(rest) && origin.length > `${scheme}://${rest}`.length;
}
