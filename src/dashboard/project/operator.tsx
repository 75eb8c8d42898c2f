import { Center, Loader } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { createContext, type ReactNode, use, useState } from 'react';
import { type Client, useQuery } from 'urql';
import { LoadFailure } from '../components/error-messages.tsx';
import { graphql } from '../graphql/graphql.ts';

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
          members(first: 100) {
            edges {
              node {
                email
                displayName
              }
            }
          }
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

/** The signed-in operator, with the operator's organizations, roles and projects. */
export type Operator = ResultOf<typeof meQuery>['me'];
export type Role = Operator['memberships'][number]['role'];

const OperatorContext = createContext<Operator | null>(null);

/** Returns the operator. Requires `OperatorGate`. */
export function useOperator(): Operator {
  const operator = use(OperatorContext);
  if (operator === null) throw new Error('useOperator requires OperatorGate');
  return operator;
}

/** Reloads the operator's roles. Call it when the service has refused an action that the page offered. */
export function reloadOperator(client: Client): void {
  client.query(meQuery, {}, { requestPolicy: 'network-only' }).toPromise();
}

export function OperatorGate({ children }: { readonly children: ReactNode }) {
  const [{ data, error }, reload] = useQuery({ query: meQuery });
  const [operator, setOperator] = useState<Operator | null>(null);
  // If a reload fails, keep the last known operator, so that the pages stay visible.
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
