import { type Request, type Response, Router } from 'express';
import { toDomainError } from '../../http/errors.ts';
import { applyResponseDefaults, refuseOtherMethods, sendJson } from '../../http/exchange.ts';

/** The MCP server as an OAuth 2.1 resource. Operators get access tokens for it from an authorization server. */
export interface ProtectedResource {
  /** Public address of the MCP server. Access tokens must have it as their audience. */
  readonly url: string;
  /** Issuers of access tokens. Each issuer publishes its endpoints (RFC 8414). */
  readonly authorizationServers: readonly string[];
}

const metadataPath = '/.well-known/oauth-protected-resource';

/**
 * Serves the metadata of RFC 9728 at the path of the resource, and at the root, where older clients look for it.
 * Without a resource, both paths return 404.
 */
export function protectedResourceRouter(resource: ProtectedResource | null): Router {
  const router = Router({ caseSensitive: true });
  if (resource === null) return router;
  const metadata = {
    resource: resource.url,
    authorization_servers: resource.authorizationServers,
    bearer_methods_supported: ['header'],
    resource_name: 'grounded-chat',
  };
  const paths = [metadataPath, `${metadataPath}/mcp`];
  router.use(paths, applyResponseDefaults());
  router.get(paths, (_request, response) => {
    response.setHeader('Cache-Control', 'public, max-age=3600');
    sendJson(response, 200, metadata);
  });
  router.all(paths, refuseOtherMethods(['GET']));
  return router;
}

/** If the request is not authenticated, names the metadata in the response, so that the client can get a token. */
export async function challenge<T>(
  resource: ProtectedResource | null,
  request: Request,
  response: Response,
  authenticate: () => Promise<T>,
): Promise<T> {
  try {
    return await authenticate();
  } catch (error) {
    if (resource !== null && toDomainError(error).code === 'UNAUTHENTICATED') {
      const metadata = `resource_metadata="${new URL(`${metadataPath}/mcp`, resource.url).href}"`;
      const isRefused = request.get('Authorization') !== undefined;
      const parameters = isRefused ? ['error="invalid_token"', metadata] : [metadata];
      response.setHeader('WWW-Authenticate', `Bearer ${parameters.join(', ')}`);
    }
    throw error;
  }
}
