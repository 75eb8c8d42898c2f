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
  router.use(prepareResponse());
  router.get('/assets/{*file}', preferCompressed(), files(immutable), unknownAsset);
  router.get('/sign-in.json', (_request, response) => sendJson(response, 200, signIn));
  const page = servePage(signIn, settings);
  router.get('/index.html', page);
  router.get('/{*path}', files('no-cache'), page);
  endRoutes(router, settings.log);
  return router;
}

/** For what has another name when it has other contents. */
const immutable = 'public, max-age=31536000, immutable';

/** Those of the build, with this instead of what every answer says of how long it may be kept. */
function files(cacheControl: string): RequestHandler {
  return express.static(site, {
    index: false,
    redirect: false,
    setHeaders: (response) => response.setHeader('Cache-Control', cacheControl),
  });
}

/** The page would not do in the place of a script, such as one of an older version. */
const unknownAsset: RequestHandler = (_request, _response, next) =>
  next(new DomainError('NOT_FOUND', 'There is no such file'));

/** The build leaves a compressed twin beside each script and style: no proxy is needed for pages to be small. */
function preferCompressed(): RequestHandler {
  const names = readdirSync(`${site}assets`).filter((name) => name.endsWith('.gz'));
  const twins = new Set(names.map((name) => `/assets/${name}`));
  return (request, response, next) => {
    const twin = `${request.path}.gz`;
    if (twins.has(twin)) {
      response.vary('Accept-Encoding');
      if (request.acceptsEncodings('gzip')) {
        response.type(extname(request.path)).setHeader('Content-Encoding', 'gzip');
        request.url = twin;
      }
    }
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
