import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { type Request, type Response, Router } from 'express';
import { isWellFormedPublishableKey } from '../domain/api-keys/api-key-format.ts';
import { applyResponseDefaults } from '../http/exchange.ts';

const scriptPath = fileURLToPath(new URL('../widget/generated/widget.js', import.meta.url));

/**
 * Serves the widget script at `/widget.js` and a preview page at `/widget/preview/<publishable key>`. All sites get the
 * same script. Browsers cache it for five minutes, then revalidate it.
 */
export function widgetScriptRouter(): Router {
  const router = Router({ caseSensitive: true });
  const bytes = readFileSync(scriptPath);
  const encoded = createEncodings(bytes);
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
  router.get('/widget.js', applyResponseDefaults(), async (request, response) => {
    const encoding = request.acceptsEncodings('br', 'gzip', 'identity') || 'identity';
    const isPlain = encoding !== 'br' && encoding !== 'gzip';
    const etag = `"${digest}${isPlain ? '' : `-${encoding}`}"`;
    response.set({
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=300, stale-while-revalidate=86400',
      ETag: etag,
      Vary: 'Accept-Encoding',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      // The site needs this header for subresource integrity and for its error reports.
      'Access-Control-Allow-Origin': '*',
    });
    if (matchesEtag(request, etag)) return response.status(304).end();
    if (isPlain) return response.end(bytes);
    return response.set('Content-Encoding', encoding).end(await encoded[encoding]());
  });
  router.get('/widget/preview/:key', applyResponseDefaults(), (request, response, next) => {
    const key = String(request.params.key);
    if (!isWellFormedPublishableKey(key)) return next();
    return sendPreview(response, key);
  });
  return router;
}

/** Compresses the script when an encoding is requested for the first time. */
function createEncodings(bytes: Buffer) {
  const once = (compress: () => Promise<Buffer>) => {
    let compressed: Promise<Buffer> | undefined;
    return () => {
      compressed ??= compress();
      return compressed;
    };
  };
  return {
    br: once(() => promisify(brotliCompress)(bytes)),
    gzip: once(() => promisify(gzip)(bytes, { level: 9 })),
  };
}

function matchesEtag(request: Request, etag: string): boolean {
  const known = request.get('If-None-Match') ?? '';
  return known === '*' || known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/**
 * Sends a page that loads the widget under a strict policy. The widget's list of domains must contain this service's
 * own origin.
 */
function sendPreview(response: Response, key: string): void {
  const nonce = randomBytes(18).toString('base64');
  response.set(
    'Content-Security-Policy',
    [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      `style-src 'nonce-${nonce}'`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ].join('; '),
  );
  response.type('html').send(previewPage.replace('%NONCE%', nonce).replace('%KEY%', key));
}

const previewPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Preview of the widget</title>
<style nonce="%NONCE%">
:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5; }
main { max-width: 36rem; margin: 12vh auto; padding: 0 1.5rem; }
</style>
</head>
<body>
<main>
<h1>A page with the widget</h1>
<p>Open the chat in the corner, as a visitor of your site would. It answers here if the address of this page is on the
widget's list of allowed domains.</p>
</main>
<script src="../../widget.js" data-key="%KEY%" async></script>
</body>
</html>
`;
