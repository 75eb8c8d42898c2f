import { authenticateKey } from '../domain/api-keys/authenticate-key.ts';
import { type Adapters, createContext, type RequestScope } from '../domain/context.ts';
import { schema } from '../schema/schema.ts';
import type { KeyApiDependencies } from './request/rest-call.ts';

/** Settings of an interface for API keys. */
export type KeyApiOptions = Pick<KeyApiDependencies, 'log' | 'stallTimeoutMs' | 'stopping'>;

/**
 * Returns the dependencies of an interface for API keys, from the adapters of the running service. `channel` names the
 * interface.
 */
export function keyApiDependencies(
  adapters: Adapters,
  channel: NonNullable<RequestScope['channel']>,
  options: KeyApiOptions,
): KeyApiDependencies {
  return {
    schema,
    authenticate: authenticateKey.bind(undefined, adapters),
    contextFor: (caller, request) => createContext(adapters, caller, { ...request, channel }),
    ...options,
  };
}
