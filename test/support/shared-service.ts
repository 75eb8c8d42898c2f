import { createTestDatabase, type TestDatabase } from './database/database.ts';
import { startTestService, type TestService } from './service.ts';

const services = new Map<boolean, Promise<TestService>>();
let database: Promise<TestDatabase> | undefined;

/**
 * Returns the shared service of this vitest process, for suites without special options. The service starts once and
 * runs until the process exits. Services with and without job workers have separate databases. Suites leave rows in the
 * database. So each test must create a tenant, and may check only the data of that tenant.
 */
export function sharedService({ isWorker = true } = {}): Promise<TestService> {
  const running = services.get(isWorker) ?? start(isWorker);
  services.set(isWorker, running);
  return running;
}

async function start(isWorker: boolean): Promise<TestService> {
  const service = await startTestService({ isWorker, allowPrivateWebhooks: true });
  return { ...service, stop: () => Promise.reject(new Error('Other suites use this service.')) };
}

/**
 * Returns the shared database of this vitest process, for suites that start a service with special options and the
 * built-in embedding model. Only one suite uses the database at a time. The job workers of a suite also run pending
 * jobs of earlier suites.
 */
export function sharedDatabase(): Promise<TestDatabase> {
  database ??= createTestDatabase();
  return database;
}
