import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { languageDataFolders } from '../ocr/ocr-language-data.ts';

/**
 * Starts a script in a process for hostile input. It has no environment variables, so that it knows no secrets. It may
 * read only the code of the service and the language data of OCR, and may not write files, start processes or threads, or load native code. Where
 * Linux allows unprivileged network namespaces, it has no network. Its input arrives on stdin.
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

/** Returns whether sandboxed processes have no network by the operating system or by Node.js (from version 25). */
export function isNetworkRemoved(): boolean {
  return (
    unsharePath(fileURLToPath(import.meta.url)) !== null ||
    process.allowedNodeEnvironmentFlags.has('--allow-net')
  );
}

/** The code of the service and of its packages, and language data of OCR, but not the folder that contains them: it may contain data and `.env`. */
function readablePaths(entry: string): string[] {
  const code = fileURLToPath(new URL('../../', import.meta.url));
  const manifest = createRequire(import.meta.url).resolve('pdfjs-dist/package.json');
  const packages = dirname(dirname(manifest));
  const manifests = [dirname(code), dirname(packages)].map((path) => join(path, 'package.json'));
  const ocrData = languageDataFolders.flatMap((path) => [path, `${path}${sep}*`]);
  return [`${code}*`, `${packages}${sep}*`, ...manifests, ...ocrData, entry];
}

let unshare: string | null | undefined;

/** Returns the path of util-linux' `unshare` if this user may create namespaces with it and read `entry` there. Checked once. */
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

/** Returns the flag for TypeScript support if this Node.js version accepts it. Later versions have removed the flag. */
function typeStrippingFlags(): string[] {
  const flag = '--experimental-strip-types';
  return process.allowedNodeEnvironmentFlags.has(flag) ? [flag] : [];
}
