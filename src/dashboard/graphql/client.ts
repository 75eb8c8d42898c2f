import { authExchange } from '@urql/exchange-auth';
import { type Client, cacheExchange, createClient, fetchExchange } from 'urql';
import type { Session } from '../session/session.ts';
import { fetchWithIdleTimeout, requestTimeoutMs } from './fetch-with-timeout.ts';

/**
 * Creates the GraphQL client of a signed-in operator. Renews a token that expires soon. If the service rejects the
 * token, renews the token and retries the request once.
 */
export function createGraphqlClient(session: Session): Client {
  return createClient({
    url: '/graphql',
    preferGetMethod: false,
    fetch: fetchWithIdleTimeout(requestTimeoutMs),
    exchanges: [cacheExchange, withToken(session), fetchExchange],
  });
}

function withToken(session: Session) {
  return authExchange(async ({ appendHeaders }) => {
    let token = await session.getToken();
    return {
      addAuthToOperation: (operation) =>
        appendHeaders(operation, { Authorization: `Bearer ${token}` }),
      willAuthError: () => session.needsRenewal(),
      didAuthError: ({ graphQLErrors }) =>
        graphQLErrors.some(({ extensions }) => extensions.code === 'UNAUTHENTICATED'),
      refreshAuth: async () => {
        token = await session.renewToken();
      },
    };
  });
}
