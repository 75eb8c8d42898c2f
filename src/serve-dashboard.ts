import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type RequestHandler, Router } from 'express';
import type { Logger } from 'pino';
import { DomainError } from './domain/errors.ts';
import { prepareResponse } from './rest/prepare-response.ts';
import { endRoutes } from './rest/rest-router.ts';
import { sendJson } from './rest/send-json.ts';

/**
 * Where operators sign in: with links of our own, or through Supabase Auth, reached from the browser. `none`: tokens of
 * Supabase Auth are believed, but the browser has no key to reach it with.
 */
export type DashboardSignIn =
  | { readonly type: 'link' }
  | { readonly type: 'none' }
  | { readonly type: 'supabase'; readonly url: string; readonly publishableKey: string };

const site = fileURLToPath(new URL('./dashboard/generated/site/', import.meta.url));

/** The dashboard's page and files, to be mounted at `/dashboard`. Every path is the page: it finds its way by itself. */
export function dashboardRouter(
  signIn: DashboardSignIn,
  settings: { readonly isGraphiqlOn: boolean; readonly log: Logger },
): Router {
  const router = Router({ caseSensitive: true });
  router.use(prepareResponse(), ignoreConditions);
  router.get('/assets{/*file}', findAsset(), assets, unknownAsset);
  router.get('/sign-in.json', (_request, response) => sendJson(response, 200, signIn));
  const page = servePage(signIn, settings);
  router.get('/index.html', page);
  router.get('/{*path}', express.static(site, options('no-cache')), page);
  endRoutes(router, settings.log);
  return router;
}

/** Their names change with their contents. */
const assets = express.static(`${site}assets`, options('public, max-age=31536000, immutable'));

/** Says this instead of what every answer says of how long it may be kept. */
function options(cacheControl: string): Parameters<typeof express.static>[1] {
  return {
    index: false,
    redirect: false,
    acceptRanges: false,
    setHeaders: (response) => response.setHeader('Cache-Control', cacheControl),
  };
}

/** Those that are meant for writing: the library would answer with an error that looks like ours. */
const ignoreConditions: RequestHandler = ({ headers }, _response, next) => {
  headers['if-match'] = undefined;
  headers['if-unmodified-since'] = undefined;
  next();
};

/** The page would not do in the place of a script, such as one of an older version. */
const unknownAsset: RequestHandler = (_request, _response, next) =>
  next(new DomainError('NOT_FOUND', 'There is no such file'));

/**
 * Leaves of the address what is below the folder. The build has a compressed twin beside each script and style: no
 * proxy is needed for pages to be small.
 */
function findAsset(): RequestHandler {
  const twins = new Set(readdirSync(`${site}assets`).filter((name) => name.endsWith('.gz')));
  return (request, response, next) => {
    const path = request.path.slice('/assets'.length) || '/';
    const twin = `${path.slice(1)}.gz`;
    const isSmaller = twins.has(twin) && Boolean(request.acceptsEncodings('gzip'));
    if (twins.has(twin)) response.vary('Accept-Encoding');
    if (isSmaller) response.type(extname(path)).setHeader('Content-Encoding', 'gzip');
    request.url = isSmaller ? `/${twin}` : path;
    next();
  };
}

/** Styles that the components make as they are shown carry a nonce that is drawn for each page. */
function servePage(
  signIn: DashboardSignIn,
  { isGraphiqlOn }: { readonly isGraphiqlOn: boolean },
): RequestHandler {
  const template = readFileSync(`${site}index.html`, 'utf8').replace(
    '%GRAPHIQL%',
    isGraphiqlOn ? 'on' : 'off',
  );
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
