import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Response, Router } from 'express';
import { isWellFormedPublishableKey } from '../domain/api-keys/api-key-format.ts';
import { applyResponseDefaults } from '../http/exchange.ts';
import { encodeFile, sendEncoded } from '../http/send-encoded.ts';

const scriptPath = fileURLToPath(new URL('../widget/generated/widget.js', import.meta.url));

/**
 * Serves the widget script at `/widget.js` and a preview page at `/widget/preview/<publishable key>`. All sites get the
 * same script. Browsers cache it for five minutes, then revalidate it.
 */
export function widgetScriptRouter(): Router {
  const router = Router({ caseSensitive: true });
  const script = encodeFile(readFileSync(scriptPath));
  router.get('/widget.js', applyResponseDefaults(), async (request, response) => {
    response.set({
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=300, stale-while-revalidate=86400',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      // The site needs this header for subresource integrity and for its error reports.
      'Access-Control-Allow-Origin': '*',
    });
    await sendEncoded(request, response, script);
  });
  router.get('/widget/preview/:key', applyResponseDefaults(), (request, response, next) => {
    const key = String(request.params.key);
    if (!isWellFormedPublishableKey(key)) return next();
    return sendPreview(response, key);
  });
  return router;
}

/**
 * Sends a page that loads the widget under a strict policy. The dashboard shows it in a frame. The widget's list of domains must contain this service's
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
      'img-src https:',
      `style-src 'nonce-${nonce}'`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
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
<main aria-label="Preview">
<h1>A page with the widget</h1>
<p>Open the chat in the corner, as a visitor of your site would. It answers here if the address of this page is on the
widget's list of allowed domains.</p>
</main>
<script src="../../widget.js" data-key="%KEY%" async></script>
</body>
</html>
`;
