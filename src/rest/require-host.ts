import type { RequestHandler } from 'express';
import { DomainError } from '../domain/errors.ts';
import { prepareResponse } from './prepare-response.ts';

/** Refuses a request of HTTP/1.1 that does not name its host exactly once. Node would do so without a body. */
export function requireHost(): RequestHandler {
  const prepare = prepareResponse();
  return (request, response, next) => {
    const isNamed = request.rawHeaders.filter(isHostName).length === 1;
    if (isNamed || request.httpVersion !== '1.1') return next();
    const refusal = new DomainError('MALFORMED_REQUEST', 'The request must have one Host header');
    prepare(request, response, () => next(refusal));
  };
}

/** Of the raw headers, names and values by turns. Node's view by name would live as long as the request. */
function isHostName(text: string, index: number): boolean {
  return index % 2 === 0 && text.toLowerCase() === 'host';
}
