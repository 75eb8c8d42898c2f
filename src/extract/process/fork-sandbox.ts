import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { languageDataFolders } from '../ocr/ocr-language-data.ts';

/**
 * Starts a script in a separate process that handles hostile input. The process gets its input on stdin. It has no
 * environment variables, so it knows no secrets. It may read only the code of the service and the language data of OCR.
 * It may not write files, start processes or threads, or load native code. It has no network where Linux allows
 * unprivileged network namespaces.
 */
export function forkSandbox(
  entry: string,
  { heapMegabytes }: { heapMegabytes: number },
): ChildProcess {
  const flags = [
    `--max-old-space-size=${heapMegabytes}`,
    '--permission',
    ...readablePaths(entry).map((path) => `--allow-fs-read=${path}`),
    ...(entry.endsWith('.ts') ? typeStrippingFlags() : []),
  ];
  const unshare = unsharePath(entry);
  return fork(entry, [], {
    env: {},
    ...(unshare === null
      ? { execArgv: flags }
      : { execPath: unshare, execArgv: ['--user', '--net', '--', process.execPath, ...flags] }),
    serialization: 'advanced',
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
  });
}

/** Whether the operating system or Node.js (from version 25) removes the network from sandboxed processes. */
export function isNetworkRemoved(): boolean {
  return (
    unsharePath(fileURLToPath(import.meta.url)) !== null ||
    process.allowedNodeEnvironmentFlags.has('--allow-net')
  );
}

/**
 * Returns the paths that the process may read: the code of the service and of its packages, and the language data of
 * OCR. The folder that contains the code is not included, because it may contain data and `.env`.
 */
function readablePaths(entry: string): string[] {
  const code = fileURLToPath(new URL('../../', import.meta.url));
  const manifest = createRequire(import.meta.url).resolve('pdfjs-dist/package.json');
  const packages = dirname(dirname(manifest));
  const manifests = [dirname(code), dirname(packages)].map((path) => join(path, 'package.json'));
  const ocrData = languageDataFolders.flatMap((path) => [path, `${path}${sep}*`]);
  return [`${code}*`, `${packages}${sep}*`, ...manifests, ...ocrData, entry];
}

let unshare: string | null | undefined;

/**
 * Returns the path of the program `unshare` of util-linux. Returns null if this user cannot create namespaces with it
 * and read `entry` in them. Checks this only once.
 */
function unsharePath(entry: string): string | null {
  if (unshare === undefined) unshare = findUnshare(entry);
  return unshare;
}

function findUnshare(entry: string): string | null {
  if (process.platform !== 'linux') return null;
  const path = ['/usr/bin/unshare', '/bin/unshare'].find(existsSync);
  if (path === undefined) return null;
  const read = ['-e', 'fs.readFileSync(process.argv[1])', entry];
  const probe = spawnSync(path, ['--user', '--net', '--', process.execPath, ...read], {
    env: {},
    timeout: 5_000,
  });
  return probe.status === 0 ? path : null;
}

/**
 * Returns the flag for TypeScript support if this version of Node.js accepts it. Later versions have removed the flag.
 */
function typeStrippingFlags(): string[] {
  const flag = '--experimental-strip-types';
  return process.allowedNodeEnvironmentFlags.has(flag) ? [flag] : [];
}
