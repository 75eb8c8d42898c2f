import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Router } from 'express';
import { refuseOtherMethods, sendJson } from '../../http/exchange.ts';
import { openApi } from '../request/operations.ts';
import { withoutOptionalExamples } from './without-optional-examples.ts';

/**
 * Serves `GET /openapi.json` and Swagger UI at `GET /docs`. Neither needs an API key. The page loads all its files from
 * this service.
 */
export function docsRouter(): Router {
  const router = Router({ caseSensitive: true });
  router.get('/openapi.json', (_request, response) => sendJson(response, 200, openApi));
  let document: object | undefined;
  router.get('/docs/openapi.json', (_request, response) => {
    document ??= withoutOptionalExamples(openApi);
    sendJson(response, 200, document);
  });
  router.get('/docs', (request, response) => {
    response.setHeader('Content-Security-Policy', contentSecurityPolicy);
    response.type('html').send(renderDocsPage(request.baseUrl));
  });
  router.get('/docs/start.js', (request, response) => {
    response.type('js').send(renderInitScript(request.baseUrl));
  });
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']) {
    router.get(`/docs/${name}`, async (_request, response) => {
      const bytes = await readFile(join(swaggerUiDirectory(), name));
      response.setHeader('Cache-Control', 'public, max-age=3600');
      response.type(name).send(bytes);
    });
  }
  router.all(['/openapi.json', '/docs', '/docs/:file'], refuseOtherMethods(['GET']));
  return router;
}

/** Swagger UI needs `data:` images because its stylesheet contains icons, and inline styles because it sets sizes. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function swaggerUiDirectory(): string {
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}

function renderDocsPage(baseUrl: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${openApi.info.title}: API reference</title>
<link rel="icon" href="${baseUrl}/docs/favicon-32x32.png">
<link rel="stylesheet" href="${baseUrl}/docs/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<noscript>This page needs JavaScript. The OpenAPI document is at <a href="${baseUrl}/openapi.json">openapi.json</a>.</noscript>
<script src="${baseUrl}/docs/swagger-ui-bundle.js"></script>
<script src="${baseUrl}/docs/start.js"></script>
</body>
</html>
`;
}

function renderInitScript(baseUrl: string): string {
  const options = {
    url: `${baseUrl}/docs/openapi.json`,
    dom_id: '#docs',
    deepLinking: true,
    validatorUrl: null,
  };
  return `SwaggerUIBundle(${JSON.stringify(options)});\n`;
}
