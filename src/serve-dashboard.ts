import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import express, { type RequestHandler, Router } from 'express';
import { prepareResponse } from './rest/prepare-response.ts';
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
export function dashboardRouter(signIn: DashboardSignIn): Router {
  const router = Router({ caseSensitive: true });
  router.use(prepareResponse());
  // Their names change with their contents.
  router.use(
    '/assets',
    express.static(`${site}assets`, {
      immutable: true,
      maxAge: '1y',
      index: false,
      fallthrough: false,
    }),
  );
  router.get('/sign-in.json', (_request, response) => sendJson(response, 200, signIn));
  router.use(express.static(site, { index: false, redirect: false, etag: false }));
  router.get('/{*path}', servePage(signIn));
  return router;
}

/** Styles that the components make as they are shown carry a nonce that is drawn for each page. */
function servePage(signIn: DashboardSignIn): RequestHandler {
  const template = readFileSync(`${site}index.html`, 'utf8');
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
      ].join('; '),
    );
    response.type('html').send(template.replace('%STYLE_NONCE%', nonce));
  };
}
