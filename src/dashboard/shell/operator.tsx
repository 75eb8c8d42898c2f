import { Center, Loader } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { createContext, type ReactNode, use, useState } from 'react';
import { type Client, useQuery } from 'urql';
import { graphql } from '../graphql/graphql.ts';
import { LoadFailure } from './failure.tsx';

const meQuery = graphql(`
  query Me {
    me {
      id
      email
      memberships {
        id
        role
        organization {
          id
          name
          plan
          projects(first: 100) {
            edges {
              node {
                id
                name
              }
            }
          }
        }
      }
    }
  }
`);

/** Who is signed in, with organizations, roles and projects. */
export type Operator = ResultOf<typeof meQuery>['me'];
export type Role = Operator['memberships'][number]['role'];

const OperatorContext = createContext<Operator | null>(null);

/** Only below `OperatorGate`. */
export function useOperator(): Operator {
  const operator = use(OperatorContext);
  if (operator === null) throw new Error('There is no operator here');
  return operator;
}

/** Looks anew what the operator may do: something was refused that was shown. */
export function reloadOperator(client: Client): void {
  client.query(meQuery, {}, { requestPolicy: 'network-only' }).toPromise();
}

export function OperatorGate({ children }: { readonly children: ReactNode }) {
  const [{ data, error }, reload] = useQuery({ query: meQuery });
  const [operator, setOperator] = useState<Operator | null>(null);
  // The last that is known: a reload that fails must not take the pages away.
  if (data !== undefined && data.me !== operator) setOperator(data.me);
  if (operator === null && error !== undefined) {
    return (
      <Center component="main" h="100dvh" p="md">
        <LoadFailure error={error} onRetry={() => reload({ requestPolicy: 'network-only' })} />
      </Center>
    );
  }
  if (operator === null) {
    return (
      <Center h="100dvh">
        <Loader aria-label="Loading" />
      </Center>
    );
  }
  return <OperatorContext value={operator}>{children}</OperatorContext>;
}
