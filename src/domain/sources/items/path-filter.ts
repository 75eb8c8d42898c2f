import { isDocumentName } from '../../../extract/file-formats.ts';
import { wildcardMatcher } from '../../../text/match-wildcards.ts';
import { createSelector, type Selection } from '../selection.ts';

const maxPathBytes = 1_024;

/**
 * Returns a function that decides whether a file can become a document. The decision depends on the format of the file,
 * and on patterns in which `*` matches any characters. A pattern that starts with `/` is a path from the top of the
 * source.
 */
export function createPathFilter(
  selection: Pick<Selection, 'include' | 'exclude'>,
): (path: string) => boolean {
  const isSelected = createSelector(selection, wildcardMatcher);
  return (path) => {
    if (path.length > maxPathBytes || Buffer.byteLength(path) > maxPathBytes) return false;
    if (!isDocumentName(path) || !isPlainPath(path)) return false;
    return isSelected(`/${path}`);
  };
}

/** Returns whether the path can be stored, and is neither hidden nor part of a package. */
function isPlainPath(path: string): boolean {
  if (!path.isWellFormed()) return false;
  // A key that ends with `/` is a folder. Some programs create such keys in buckets.
  if (path.endsWith('/')) return false;
  if (/[\p{Cc}\ufffd]/u.test(path)) return false;
  return !path.split('/').some((part) => part.startsWith('.') || part === 'node_modules');
}
