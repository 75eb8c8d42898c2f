import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type RequestHandler, Router } from 'express';
import type { Logger } from 'pino';
import { addFallbackHandlers } from '../../http/errors.ts';
import { applyResponseDefaults, sendJson } from '../../http/exchange.ts';
import { chooseEncoding, type Encoding } from '../../http/send-encoded.ts';
import { DomainError } from '../../platform/errors.ts';
import { version } from '../../platform/version.ts';

/**
 * How operators sign in: with sign-in links of this service and an OIDC provider, or with Supabase Auth from the browser. `none`: the
 * service accepts tokens of Supabase Auth, but the browser has no publishable key to sign in with.
 */
export type DashboardSignIn =
  | { readonly type: 'link'; readonly oidc?: OidcButton; readonly mailsLinks?: boolean }
  | { readonly type: 'none' }
  | { readonly type: 'supabase'; readonly url: string; readonly publishableKey: string };

/** Name of the OIDC provider, and the address that starts the sign-in. */
export interface OidcButton {
  readonly name: string;
  readonly url: string;
}

const siteDirectory = fileURLToPath(new URL('../../dashboard/generated/site/', import.meta.url));

/**
 * Serves the dashboard, to be mounted at `/dashboard`. Every path returns the same page. In the browser, the page shows
 * the view of the path.
 */
export function dashboardRouter(
  signIn: DashboardSignIn,
  settings: { readonly isGraphiqlOn: boolean; readonly log: Logger },
): Router {
  const router = Router({ caseSensitive: true });
  router.use(applyResponseDefaults(), ignoreConditionalHeaders);
  router.get('/assets{/*file}', selectAssetEncoding(), assets, assetNotFound);
  router.get('/sign-in.json', (_request, response) => sendJson(response, 200, signIn));
  const page = servePage(signIn, settings);
  router.get('/index.html', page);
  router.get('/{*path}', express.static(siteDirectory, staticOptions('no-cache')), page);
  addFallbackHandlers(router, settings.log);
  return router;
}

/** Browsers may cache assets forever, because the name of an asset contains a hash of its content. */
const assets = express.static(
  `${siteDirectory}assets`,
  staticOptions('public, max-age=31536000, immutable'),
);

/** Options of `express.static` that replace the default `Cache-Control` of responses. */
function staticOptions(cacheControl: string): Parameters<typeof express.static>[1] {
  return {
    index: false,
    redirect: false,
    acceptRanges: false,
    setHeaders: (response) => response.setHeader('Cache-Control', cacheControl),
  };
}

/**
 * Removes the conditional headers of writes. `express.static` would respond to these headers with errors in its own
 * format.
 */
const ignoreConditionalHeaders: RequestHandler = ({ headers }, _response, next) => {
  headers['if-match'] = undefined;
  headers['if-unmodified-since'] = undefined;
  next();
};

/** Refuses unknown assets, such as a script of an older version. The page must not be served instead of an asset. */
const assetNotFound: RequestHandler = (_request, _response, next) =>
  next(new DomainError('NOT_FOUND', 'There is no such file'));

/**
 * Rewrites the URL to the asset file, or to its smallest compressed file that the client accepts. The build compresses
 * each script and stylesheet, so that proxies need not compress them.
 */
function selectAssetEncoding(): RequestHandler {
  const files = new Set(readdirSync(`${siteDirectory}assets`));
  return (request, response, next) => {
    const path = request.path.slice('/assets'.length) || '/';
    const isCompressed = files.has(`${path.slice(1)}${endings.br}`);
    if (isCompressed) response.vary('Accept-Encoding');
    const encoding = isCompressed ? chooseEncoding(request) : null;
    if (encoding !== null) response.type(extname(path)).setHeader('Content-Encoding', encoding);
    request.url = encoding === null ? path : path + endings[encoding];
    next();
  };
}

/** Ends of the names of the compressed files. The build writes both. */
const endings: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

/** Serves the page with a new style nonce for each request. Components add styles at run time with this nonce. */
function servePage(
  signIn: DashboardSignIn,
  { isGraphiqlOn }: { readonly isGraphiqlOn: boolean },
): RequestHandler {
  const template = readFileSync(`${siteDirectory}index.html`, 'utf8')
    .replace('%GRAPHIQL%', isGraphiqlOn ? 'on' : 'off')
    .replace('%VERSION%', version);
  const authOrigin = signIn.type === 'supabase' ? ` ${new URL(signIn.url).origin}` : '';
  return (_request, response) => {
    const nonce = randomBytes(18).toString('base64');
    response.setHeader(
      'Content-Security-Policy',
      [
        "default-src 'none'",
        "script-src 'self'",
        `style-src 'self' 'nonce-${nonce}'`,
        "img-src 'self' data:",
        "font-src 'self'",
        `connect-src 'self'${authOrigin}`,
        "frame-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        'trusted-types default',
      ].join('; '),
    );
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    response.type('html').send(template.replace('%STYLE_NONCE%', nonce));
  };
}
