import { DomainError } from '../platform/errors.ts';

/** Maximum size of the values in one response, in bytes. */
const maxResponseBytes = 8_000_000;

/** The size of a response so far. */
export interface ResponseBudget {
  bytes: number;
}

const budgetSymbol = Symbol('bytes of the response');

/** Limits the size of the response of the operation that is executed with this context. */
export function startResponseBudget(context: object): ResponseBudget {
  const budget: ResponseBudget = { bytes: 0 };
  Object.assign(context, { [budgetSymbol]: budget });
  return budget;
}

/** Returns the budget of the context. Undefined: the response has no limit. */
export function responseBudgetOf(context: unknown): ResponseBudget | undefined {
  return (context as { readonly [budgetSymbol]?: ResponseBudget } | undefined)?.[budgetSymbol];
}

export function isWithinBudget({ bytes }: ResponseBudget): boolean {
  return bytes <= maxResponseBytes;
}

export function responseTooLong(): DomainError {
  return new DomainError(
    'QUERY_TOO_COMPLEX',
    `The response has more than ${maxResponseBytes / 1_000_000} MB: request smaller pages or fewer fields`,
  );
}
