import type { RequestHandler } from 'express';
import { sendJson } from '../http/exchange.ts';

/** Handles `GET /`: a browser gets the dashboard, a program gets the addresses of the interfaces. */
export function serveRoot(): RequestHandler {
  return (request, response) => {
    response.vary('Accept');
    if (request.accepts(['json', 'html']) === 'html') response.redirect('/dashboard');
    else sendJson(response, 200, interfaces);
  };
}

const interfaces = {
  dashboard: '/dashboard',
  guides: '/docs',
  rest: '/api/v1',
  docs: '/api/v1/docs',
  openapi: '/api/v1/openapi.json',
  graphql: '/graphql',
  mcp: '/mcp',
  openai: '/v1',
  llms: '/llms.txt',
  health: '/health/ready',
};
