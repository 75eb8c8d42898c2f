import { authExchange } from '@urql/exchange-auth';
import { type Client, cacheExchange, createClient, fetchExchange } from 'urql';
import type { Session } from '../session/session.ts';

/**
 * Creates the GraphQL client of a signed-in operator. If the service rejects the token, renews the token and retries
 * once.
 */
export function createGraphqlClient(session: Session): Client {
  return createClient({
    url: '/graphql',
    preferGetMethod: false,
    exchanges: [cacheExchange, withToken(session), fetchExchange],
  });
}

function withToken(session: Session) {
  return authExchange(async ({ appendHeaders }) => {
    let token = await session.getToken();
    return {
      addAuthToOperation: (operation) =>
        appendHeaders(operation, { Authorization: `Bearer ${token}` }),
      didAuthError: ({ graphQLErrors }) =>
        graphQLErrors.some(({ extensions }) => extensions.code === 'UNAUTHENTICATED'),
      refreshAuth: async () => {
        token = await session.renewToken();
      },
    };
  });
}
