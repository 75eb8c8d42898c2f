import type { RequestHandler } from 'express';
import { DomainError } from '../platform/errors.ts';
import openApi from './openapi.json' with { type: 'json' };

/** Paths of operations, with the start of the prefix or without it, such as `/chat` and `/api/chat`. */
const operations = Object.keys(openApi.paths).map(
  (path) => new RegExp(`^(?:/api)?${path.replace(/\{\w+\}/g, '[^/]+')}/?$`),
);

/** Refuses requests for operations of the REST API that lack the prefix. Other requests pass. */
export function refuseMissingPrefix(): RequestHandler {
  return ({ path }, _response, next) => {
    if (!operations.some((operation) => operation.test(path))) return next();
    const message = 'There is no such route: paths of the REST API begin with /api/v1';
    next(new DomainError('NOT_FOUND', message));
  };
}
