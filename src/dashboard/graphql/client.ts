import { authExchange } from '@urql/exchange-auth';
import { type Client, cacheExchange, createClient, fetchExchange } from 'urql';
import type { Session } from '../session/session.ts';

/** The service's GraphQL for the operator who is signed in. A refused token is renewed once, then the error is shown. */
export function createGraphqlClient(session: Session): Client {
  return createClient({
    url: '/graphql',
    preferGetMethod: false,
    exchanges: [cacheExchange, withToken(session), fetchExchange],
  });
}

function withToken(session: Session) {
  return authExchange(async ({ appendHeaders }) => {
    let token = await session.token();
    return {
      addAuthToOperation: (operation) =>
        appendHeaders(operation, { Authorization: `Bearer ${token}` }),
      didAuthError: ({ graphQLErrors }) =>
        graphQLErrors.some(({ extensions }) => extensions.code === 'UNAUTHENTICATED'),
      refreshAuth: async () => {
        token = await session.renewedToken();
      },
    };
  });
}
