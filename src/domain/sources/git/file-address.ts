import { trimTrailingSlashes } from '../../../platform/trim-trailing-slashes.ts';
import { maxSourceUrlLength } from '../../knowledge/document-details.ts';

/** Hosts for which the web addresses of files have a known format. */
const hosts: readonly { readonly name: RegExp; readonly part: string }[] = [
  { name: /^(?:www\.)?github\.com$|^github\./, part: 'blob' },
  { name: /^gitlab\.com$|^gitlab\./, part: '-/blob' },
  { name: /^bitbucket\.org$/, part: 'src' },
  { name: /^codeberg\.org$|^gitea\.|^forgejo\./, part: 'src/branch' },
];

/**
 * Returns a function that returns the web address at which people find a file. The function returns null if the host is
 * unknown.
 */
export function createFileAddress(
  repository: string,
  branch: string,
): (path: string) => string | null {
  const { hostname, origin, pathname } = new URL(repository);
  const host = hosts.find(({ name }) => name.test(hostname.toLowerCase()));
  const base = `${origin}${trimTrailingSlashes(pathname).replace(/\.git$/, '')}`;
  const encode = (path: string) => path.split('/').map(encodeURIComponent).join('/');
  return (path) => {
    if (host === undefined) return null;
    const address = `${base}/${host.part}/${encode(branch)}/${encode(path)}`;
    return address.length <= maxSourceUrlLength ? address : null;
  };
}
