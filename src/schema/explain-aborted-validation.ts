import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { DomainError } from '../platform/errors.ts';

/**
 * Gives a code and a clear message to the error of graphql-js for too many comparisons of equal fields, or for too many
 * spreads of fragments. Both take time that grows with the square of their number.
 */
export const explainAbortedValidation: Plugin = {
  onValidate() {
    return ({ valid, result, setResult }) => {
      if (valid) return;
      const errors: readonly Error[] = result;
      setResult(errors.map((error) => (isAborted(error) ? tooManyRepeats() : error)));
    };
  },
};

/** graphql-js neither exports this error nor gives it a code. */
function isAborted({ message }: Error): boolean {
  return message === 'Validation aborted.';
}

function tooManyRepeats(): GraphQLError {
  const error = new DomainError(
    'QUERY_TOO_COMPLEX',
    'The operation repeats too many fields or fragments: request each field once, or split the operation',
  );
  return new GraphQLError(error.message, { originalError: error });
}
