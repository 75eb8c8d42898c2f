import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type Request, type Response, Router } from 'express';
import { isPublishableKeyText } from './domain/api-keys/key-text.ts';
import { prepareResponse } from './rest/prepare-response.ts';

const script = fileURLToPath(new URL('./widget/generated/widget.js', import.meta.url));

/**
 * The script that sites load, at `/widget.js`, and a page that shows it, at `/widget/preview/<publishable key>`. The
 * script is the same for everybody and asked for on every page of a site: browsers keep it for five minutes, then ask
 * whether it has changed.
 */
export function widgetScriptRouter(): Router {
  const router = Router({ caseSensitive: true });
  const bytes = readFileSync(script);
  const encoded = { br: brotliCompressSync(bytes), gzip: gzipSync(bytes, { level: 9 }) };
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
  router.get('/widget.js', prepareResponse(), (request, response) => {
    const encoding = request.acceptsEncodings('br', 'gzip', 'identity') || 'identity';
    const isPlain = encoding !== 'br' && encoding !== 'gzip';
    const etag = `"${digest}${isPlain ? '' : `-${encoding}`}"`;
    response.set({
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=300, stale-while-revalidate=86400',
      ETag: etag,
      Vary: 'Accept-Encoding',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      // So that a site can pin it by its hash, or report its errors.
      'Access-Control-Allow-Origin': '*',
    });
    if (isKnown(request, etag)) return response.status(304).end();
    if (isPlain) return response.end(bytes);
    return response.set('Content-Encoding', encoding).end(encoded[encoding]);
  });
  router.get('/widget/preview/:key', prepareResponse(), (request, response, next) => {
    const key = String(request.params.key);
    if (!isPublishableKeyText(key)) return next();
    return sendPreview(response, key);
  });
  return router;
}

function isKnown(request: Request, etag: string): boolean {
  const known = request.get('If-None-Match') ?? '';
  return known === '*' || known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** A site like any other, as strict as one can be; its own address has to be on the list of the widget. */
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
  response.type('html').send(preview.replace('%NONCE%', nonce).replace('%KEY%', key));
}

const preview = `<!doctype html>
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
