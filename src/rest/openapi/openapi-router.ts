import { Router } from 'express';
import { refuseOtherMethods, sendJson } from '../../http/exchange.ts';
import { openApi } from '../request/operations.ts';

/** Serves `GET /openapi.json` without an API key. */
export function openApiRouter(): Router {
  const router = Router({ caseSensitive: true });
  router.get('/openapi.json', (_request, response) => sendJson(response, 200, openApi));
  router.all('/openapi.json', refuseOtherMethods(['GET']));
  return router;
}
