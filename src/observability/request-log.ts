import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { isId } from '../domain/ids.ts';
import type { ResponseLocals } from '../rest/authenticate-request.ts';
import { pathOf } from '../rest/errors.ts';
import { requestIdOf } from '../rest/prepare-response.ts';
import { servedRequest } from './served-request.ts';

/** Writes one line for every request when its answer has ended; for those of a monitor at level debug. */
export function logRequests(log: Logger): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    const bytesBefore = request.socket.bytesWritten;
    response.once('close', () => {
      const served = servedRequest(request, response);
      const line = {
        requestId: requestIdOf(response),
        ...served,
        path: loggedPath(request.originalUrl),
        durationMs: Math.round(performance.now() - startedAt),
        bytes: request.socket.bytesWritten - bytesBefore,
        ...callerFacts(response.locals),
      };
      if (monitorRoutes.test(served.route)) log.debug(line, 'request');
      else log.info(line, 'request');
    });
    next();
  };
}

const monitorRoutes = /^\/(?:health\/|metrics$)/;

/** Ids only, and what is none is not repeated. */
function callerFacts({ caller, projectId }: ResponseLocals): object {
  switch (caller?.type) {
    case 'key': {
      const { keyId, organizationId } = caller;
      const project = caller.projectId ?? projectId;
      return { keyId, organizationId, projectId: isId(project ?? '') ? project : undefined };
    }
    case 'visitor': {
      const { organizationId, projectId } = caller;
      return { organizationId, projectId };
    }
    case 'operator':
      return { userId: caller.userId };
    default:
      return {};
  }
}

const maxPathLength = 200;

/**
 * People put keys, addresses and texts into paths by mistake, so a part that is longer than an id, or is not made of
 * plain characters, is not repeated.
 */
function loggedPath(target: string): string {
  return pathOf(target)
    .slice(0, maxPathLength)
    .split('/')
    .map((part) => (/^[\w.-]{0,36}$/.test(part) ? part : '*'))
    .join('/');
}
