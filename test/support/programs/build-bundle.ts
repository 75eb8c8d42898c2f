import { pathToFileURL } from 'node:url';

/**
 * Bundles the service to `dist` if the bundle is out of date. Vitest runs this once before tests that start the service
 * as an operator does, because starting the bundle needs half the processor time of starting the modules.
 */
// biome-ignore lint/style/noDefaultExport: vitest calls the default export.
export default async function buildBundle(): Promise<void> {
  const { prepareCheckout } = await import(pathToFileURL('scripts/prepare.mjs').href);
  await prepareCheckout(process.cwd(), { withBundle: true });
}
