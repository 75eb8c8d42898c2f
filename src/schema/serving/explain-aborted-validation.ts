import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { DomainError } from '../../platform/errors.ts';

/**
 * graphql-js aborts a validation that compares too many equal fields or spreads too many fragments. Both take time that
 * grows with the square of their number. This plugin gives the error a code and a clear message.
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

/** Recognizes the error by its message, because graphql-js neither exports the error nor gives it a code. */
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
