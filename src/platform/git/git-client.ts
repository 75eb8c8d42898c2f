import { trimTrailingSlashes } from '../trim-trailing-slashes.ts';
import type { WebClient, WebResponse } from '../web/web-client.ts';
import { GitError, TooLarge } from './git-error.ts';
import type { GitObject, PackLimits } from './pack-file.ts';
import {
  delimiterLine,
  flushLine,
  type PktLine,
  parsePktLines,
  pktLine,
  textOf,
} from './pkt-line.ts';

/** A Git repository on a server. The server must support version 2 of Git's protocol over HTTP. */
export interface GitRepository {
  /**
   * Returns the latest commit of a branch. If `name` is null, uses the default branch. Returns null if there is no such
   * branch.
   */
  findBranch(name: string | null): Promise<GitBranch | null>;
  /**
   * Returns the objects of a commit. The contents of files are left out if the server supports that.
   * @throws GitError, also when the objects exceed the limits
   */
  readCommit(commit: string, limits: PackLimits): Promise<Map<string, GitObject>>;
  /**
   * Returns the contents of files by their ids.
   * @throws GitError; TooLarge when they exceed the limits
   */
  readBlobs(ids: readonly string[], limits: PackLimits): Promise<Map<string, GitObject>>;
}

export interface GitBranch {
  readonly name: string;
  readonly commit: string;
}

export interface GitAccess {
  /** Address without credentials, such as `https://example.com/team/docs.git`. */
  readonly url: string;
  /** Value of the header `Authorization`, or null. */
  readonly authorization: string | null;
}

/**
 * Returns the objects of a pack by their ids.
 * @throws GitError when the pack is damaged; TooLarge when it exceeds a limit
 */
export type PackReader = (pack: Buffer, limits: PackLimits) => Promise<Map<string, GitObject>>;

const maxRedirects = 5;
const advertisementBytes = 1_000_000;
const refsBytes = 10_000_000;
/** Maximum size of one compressed pack: the trees of a commit, or a group of files. */
const packBytes = 50_000_000;
const packTimeoutMs = 300_000;
const version2 = { 'git-protocol': 'version=2' };

/**
 * Opens a repository: https://git-scm.com/docs/protocol-v2
 * @throws GitError when there is no repository at the address, or its server does not support version 2
 */
export async function openRepository(
  web: WebClient,
  access: GitAccess,
  readPack: PackReader,
  signal: AbortSignal,
): Promise<GitRepository> {
  const { base, capabilities } = await advertise(web, access, signal);
  const authorization = authorizationOf(access, base);

  const command = async (name: string, lines: readonly string[], maxBytes: number) => {
    const parts = [
      ...[pktLine(`command=${name}\n`), pktLine('object-format=sha1\n'), delimiterLine],
      ...lines.map((line) => pktLine(`${line}\n`)),
      flushLine,
    ];
    const type = 'application/x-git-upload-pack';
    const request = {
      method: 'POST',
      ...{ url: `${base}/git-upload-pack`, body: Buffer.concat(parts), maxBytes },
      headers: {
        ...{ ...version2, ...authorization, accept: `${type}-result` },
        'content-type': `${type}-request`,
      },
      timeoutMs: packTimeoutMs,
    } as const;
    const result = await web.send(request, signal);
    if (result.type === 'failure') {
      throw result.isTooLarge ? new TooLarge(result.reason) : new GitError(result.reason);
    }
    if (result.status !== 200) throw new GitError(statusReason(result.status));
    return readSections(result.body);
  };

  const readObjects = async (lines: readonly string[], limits: PackLimits) => {
    const arguments_ = ['no-progress', 'ofs-delta', ...lines, 'done'];
    const { pack } = await command('fetch', arguments_, packBytes);
    return readPack(pack, limits);
  };

  return {
    async findBranch(name) {
      const wanted = name === null ? 'HEAD' : `refs/heads/${name}`;
      const lines = ['symrefs', `ref-prefix ${wanted}`];
      const { lines: refs } = await command('ls-refs', lines, refsBytes);
      for (const line of refs) {
        const [commit = '', ref, ...attributes] = line.split(' ');
        if (!/^[0-9a-f]{40}$/.test(commit) || ref !== wanted) continue;
        const target =
          attributes.find((attribute) => attribute.startsWith('symref-target:')) ?? wanted;
        return { commit, name: target.replace(/^(?:symref-target:)?refs\/heads\//, '') };
      }
      return null;
    },
    readCommit(commit, limits) {
      const filter = capabilities.some((line) => /^fetch=.*\bfilter\b/.test(line));
      const lines = ['deepen 1', ...(filter ? ['filter blob:none'] : []), `want ${commit}`];
      return readObjects(lines, limits);
    },
    readBlobs: (ids, limits) =>
      readObjects(
        ids.map((id) => `want ${id}`),
        limits,
      ),
  };
}

/** Asks the server for its capabilities. Follows redirects, because repositories can be renamed. */
async function advertise(web: WebClient, access: GitAccess, signal: AbortSignal) {
  const suffix = '/info/refs?service=git-upload-pack';
  let base = trimTrailingSlashes(access.url);
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    const headers = { ...version2, ...authorizationOf(access, base), accept: '*/*' };
    const url = `${base}${suffix}`;
    const result = await web.send({ url, headers, maxBytes: advertisementBytes }, signal);
    if (result.type === 'failure') throw new GitError(result.reason);
    if (result.status === 200) return { base, capabilities: capabilitiesOf(result) };
    const target = result.status < 400 ? URL.parse(result.headers.location ?? '', url) : null;
    if (target === null) throw new GitError(statusReason(result.status));
    const isWeaker = base.startsWith('https:') && target.protocol !== 'https:';
    if (isWeaker || !target.href.endsWith(suffix)) {
      throw new GitError('It redirects to a place that is no repository');
    }
    base = target.href.slice(0, -suffix.length);
  }
  throw new GitError('It redirects too often');
}

/** Returns the header with the credentials, or no header for another origin, which must not receive the credentials. */
function authorizationOf({ url, authorization }: GitAccess, base: string): Record<string, string> {
  const isSameOrigin = new URL(base).origin === new URL(url).origin;
  return authorization !== null && isSameOrigin ? { authorization } : {};
}

function capabilitiesOf({ body, headers }: WebResponse): string[] {
  const type = headers['content-type'] ?? '';
  if (!type.startsWith('application/x-git-upload-pack-advertisement')) {
    throw new GitError('The address is that of no Git repository');
  }
  const { lines } = readSections(body);
  if (!lines.includes('version 2')) {
    throw new GitError("The server does not support version 2 of Git's protocol");
  }
  if (lines.some((line) => /^object-format=(?!sha1\b)/.test(line))) {
    throw new GitError('Repositories with SHA-256 are not supported');
  }
  return lines;
}

/**
 * Splits the response into its lines and the pack. The pack arrives in numbered bands. Refuses a response that is cut
 * off.
 */
function readSections(message: Buffer): { lines: string[]; pack: Buffer } {
  const lines: string[] = [];
  const pack: Buffer[] = [];
  let isPack = false;
  let last: PktLine | null = null;
  for (const line of parsePktLines(message)) {
    last = line;
    if (typeof line === 'string') continue;
    if (!isPack) {
      const text = textOf(line);
      if (text === 'packfile') isPack = true;
      else if (text.startsWith('ERR ')) throw new GitError(reasonOf(text.slice(4)));
      else lines.push(text);
    } else if (line[0] === 1) pack.push(line.subarray(1));
    else if (line[0] === 3) throw new GitError(reasonOf(line.toString('utf8', 1)));
  }
  if (last !== 'flush') throw new GitError('The answer of the server is cut off');
  return { lines, pack: Buffer.concat(pack) };
}

function reasonOf(text: string): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}]/gu, ' ').trim();
  return `The server answered: ${clean.slice(0, 200)}`;
}

function statusReason(status: number): string {
  if (status === 401 || status === 403) return 'The server refuses access: check the token';
  if (status === 404) return 'The repository does not exist, or the token may not read it';
  return `The server answered ${status}`;
}
