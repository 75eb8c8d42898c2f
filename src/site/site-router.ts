import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type RequestHandler, Router } from 'express';
import { applyResponseDefaults, refuseOtherMethods } from '../http/exchange.ts';
import { encodeFile, once, sendEncoded } from '../http/send-encoded.ts';
import { docsDirectory } from './guides/guide-files.ts';
import { isPicture } from './guides/pictures.ts';
import { guidesPath, referencePath } from './page.ts';
import { createSite } from './site.ts';

const maxQueryLength = 200;

const site = once(createSite);

/** The files that pages load. */
const assets = {
  'session-key.js': asset('session-key.js', 'text/javascript'),
  'site.css': asset('site.css', 'text/css'),
  'site.js': asset('site.js', 'text/javascript'),
};

function asset(name: string, mimeType: string) {
  return { type: `${mimeType}; charset=utf-8`, file: once(() => readAsset(name)) };
}

function readAsset(name: string) {
  return encodeFile(readFileSync(fileURLToPath(new URL(`assets/${name}`, import.meta.url))));
}

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Serves the guides at `/docs` and the API reference at `/api/v1/docs`, without a key or session. Browsers revalidate
 * pages, scripts and styles, because their addresses stay the same after an upgrade.
 */
export function siteRouter(): Router {
  const router = Router({ caseSensitive: true });
  const addresses = [guidesPath, referencePath].flatMap((path) => [path, `${path}/*path`]);
  router.all(addresses, applyResponseDefaults());
  for (const [name, { type, file }] of Object.entries(assets)) {
    router.get(`${guidesPath}/assets/${name}`, async (request, response) => {
      response.set({ 'Content-Type': type, 'Cache-Control': 'no-cache' });
      await sendEncoded(request, response, file());
    });
  }
  router.get(`${guidesPath}/search`, async (request, response) => {
    const query = String(request.query.q ?? '').slice(0, maxQueryLength);
    response.set('Content-Security-Policy', pagePolicy);
    response.type('html').send((await site()).search(query));
  });
  router.get(`${guidesPath}/:folder/:name`, (request, response, next) => {
    const { folder, name } = request.params;
    if (!isPicture(`${folder}/${name}`)) return next();
    response.set('Cache-Control', 'public, max-age=3600');
    response.sendFile(
      `${folder}/${name}`,
      { root: docsDirectory, cacheControl: false },
      (error) => {
        if (error && !response.headersSent) next();
      },
    );
  });
  router.get(addresses, async (request, response, next) => {
    const page = (await site()).findPage(request.path.replace(/(?<=.)\/$/, ''));
    if (page === null) return next();
    response.set({
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': pagePolicy,
    });
    await sendEncoded(request, response, page);
  });
  router.get(addresses, pageNotFound());
  router.all([guidesPath, referencePath], refuseOtherMethods(['GET']));
  return router;
}

/** Sends browsers a page if no route serves their address. Programs pass, so that they get an error as JSON. */
export function pageNotFound(): RequestHandler {
  return async (request, response, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || request.accepts(['json', 'html']) !== 'html') return next();
    response.vary('Accept');
    response.set('Content-Security-Policy', pagePolicy);
    response
      .status(404)
      .type('html')
      .send((await site()).notFound);
  };
}
