import { authenticateKey } from '../domain/api-keys/authenticate-key.ts';
import { type Adapters, createContext } from '../domain/context.ts';
import { schema } from '../schema/schema.ts';
import type { KeyApiDependencies } from './serve-operation.ts';

/** Settings of an interface for API keys. */
export type KeyApiOptions = Pick<KeyApiDependencies, 'log' | 'stallTimeoutMs' | 'stopping'>;

/** Returns what an interface for API keys needs, from the adapters of the running service. */
export function keyApiDependencies(adapters: Adapters, options: KeyApiOptions): KeyApiDependencies {
  return {
    schema,
    authenticate: authenticateKey.bind(undefined, adapters),
    contextFor: createContext.bind(undefined, adapters),
    ...options,
  };
}
