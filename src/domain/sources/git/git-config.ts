import { type Selection, selectionOf, selectionProblems } from '../selection.ts';
import {
  integerProblems,
  isWebAddress,
  requireNoProblems,
  type SourceConfigInput,
  textProblems,
} from '../source-config.ts';

/** Configuration of a source of the kind `GIT`. A type alias, because Prisma's JSON type does not accept interfaces. */
export type GitConfig = Selection & {
  readonly url: string;
  /** Name of the branch. Empty: the default branch. */
  readonly branch: string;
  /** Folder in the repository. Empty: all folders. */
  readonly path: string;
  readonly maxFiles: number;
  readonly username: string;
};

export const gitFields = [
  ...['url', 'branch', 'path', 'include', 'exclude', 'maxFiles', 'username', 'token'],
] as readonly (keyof GitConfig | 'token')[];

/** See `Connector.requireValidConfig`. */
export function requireValidGitConfig(
  input: SourceConfigInput,
  current: Partial<GitConfig>,
): GitConfig {
  const config: GitConfig = {
    url: normalAddress(input.url ?? current.url ?? ''),
    branch: input.branch ?? current.branch ?? '',
    path: trimSlashes(input.path ?? current.path ?? ''),
    ...selectionOf(input, current),
    maxFiles: input.maxFiles ?? current.maxFiles ?? 1_000,
    username: input.username ?? current.username ?? 'git',
  };
  requireNoProblems([
    ...(isRepository(config.url)
      ? []
      : ['config.url must be an address that starts with https://, without user and password']),
    ...(/^(?:[^\s\p{Cc}~^:?*[\\]{1,255})?$/u.test(config.branch) && !config.branch.includes('..')
      ? []
      : ['config.branch must be the name of a branch, such as main']),
    ...textProblems('config.path', config.path, 1_000),
    ...selectionProblems(config),
    ...integerProblems('config.maxFiles', config.maxFiles, 1, 10_000),
    ...textProblems('config.username', config.username, 255),
    ...(config.username.includes(':') ? ['config.username must not contain a colon'] : []),
  ]);
  return config;
}

/** Returns the address with its scheme and host in lower case. */
function normalAddress(url: string): string {
  return isWebAddress(url) ? new URL(url).href : url;
}

/**
 * Returns whether the URL is an allowed address of a repository. Plain http would send the token unencrypted, so it is
 * allowed only for servers on the same machine.
 */
function isRepository(url: string): boolean {
  if (!isWebAddress(url) || /[?#]/.test(url)) return false;
  return /^https:/i.test(url) || /^(?:127\.0\.0\.1|localhost)$/.test(new URL(url).hostname);
}

function trimSlashes(path: string): string {
  return path.split('/').filter(Boolean).join('/');
}
