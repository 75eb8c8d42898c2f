import { fileTypeOfName } from '../../../extract/file-formats.ts';
import { matchesWildcards } from '../../../text/match-wildcards.ts';

const maxPathBytes = 1_024;

/**
 * Returns a function that says whether a file can become a document: by its format, and by patterns in which `*` stands
 * for any characters. A pattern that starts with `/` is a path from the top of the source.
 */
export function createPathFilter({
  include,
  exclude,
}: {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}): (path: string) => boolean {
  const matchesAny = (patterns: readonly string[], path: string) =>
    patterns.some((pattern) => matchesWildcards(pattern, `/${path}`));
  return (path) => {
    if (path.length > maxPathBytes || Buffer.byteLength(path) > maxPathBytes) return false;
    if (fileTypeOfName(path) === null || !isPlainPath(path)) return false;
    if (include.length > 0 && !matchesAny(include, path)) return false;
    return !matchesAny(exclude, path);
  };
}

/** Whether the path is storable, and neither hidden nor part of a package. */
function isPlainPath(path: string): boolean {
  if (!path.isWellFormed()) return false;
  // The key of a folder, which some programs create in buckets.
  if (path.endsWith('/')) return false;
  if (/[\p{Cc}\ufffd]/u.test(path)) return false;
  return !path.split('/').some((part) => part.startsWith('.') || part === 'node_modules');
}
