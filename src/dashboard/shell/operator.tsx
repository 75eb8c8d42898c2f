import { Alert, Center, Loader } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { createContext, type ReactNode, use } from 'react';
import { useQuery } from 'urql';
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

export function OperatorGate({ children }: { readonly children: ReactNode }) {
  const [{ data, error }] = useQuery({ query: meQuery });
  if (error !== undefined) {
    return (
      <Center h="100dvh" p="md">
        <Alert color="red" title="Cannot read your account">
          {error.message}
        </Alert>
      </Center>
    );
  }
  if (data === undefined) {
    return (
      <Center h="100dvh">
        <Loader aria-label="Loading" />
      </Center>
    );
  }
  return <OperatorContext value={data.me}>{children}</OperatorContext>;
}
