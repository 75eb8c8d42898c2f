import type { TestDatabase } from '../database/database.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';

/** A database that is reached through a proxy. The proxy simulates network failures. */
export type ProxiedDatabase = TestDatabase & Pick<FaultProxy, 'hang' | 'cut' | 'restore'>;

/** Starts a proxy for `database`. The returned `drop` drops the database and closes the proxy. */
export async function proxyDatabase(database: TestDatabase): Promise<ProxiedDatabase> {
  const target = new URL(database.directUrl ?? database.url);
  target.port ||= '5432';
  const { url: proxyUrl, close, ...faults } = await startFaultProxy(target.href);
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = new URL(proxyUrl).port;
  return {
    ...faults,
    url: url.href,
    async drop() {
      await close();
      await database.drop();
    },
  };
}
