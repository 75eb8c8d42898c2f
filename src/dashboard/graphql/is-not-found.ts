import type { CombinedError } from 'urql';

/** Whether the object that was requested does not exist, or the operator may not read it. */
export function isNotFound(error: CombinedError | undefined): boolean {
  return error?.graphQLErrors.some(({ extensions }) => extensions.code === 'NOT_FOUND') === true;
}
