/**
 * Fills a new installation of a release and prints what its clients then read, as JSON:
 *   node scripts/run.mjs exec tsx test/support/releases/record-release.ts URL KEY TOKEN > expected.json
 */
import { fillInstallation } from './fill-installation.ts';
import { readInstallation } from './read-installation.ts';

const [url = '', key = '', token = ''] = process.argv.slice(2);
await fillInstallation({ url, key, token });
console.log(JSON.stringify({ key, read: await readInstallation({ url, key, token }) }, null, 1));
