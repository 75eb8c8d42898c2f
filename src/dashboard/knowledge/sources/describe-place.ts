import type { Source } from './source-operations.ts';

/**
 * Returns a text that names what a source reads: addresses of a website, a repository and its folder, a bucket and its
 * prefix, or pages in Notion.
 */
export function describePlace({
  startUrls,
  url,
  path,
  endpoint,
  bucket,
  prefix,
  roots,
}: Source['config']): string {
  if (url !== null) return [url, path].filter(Boolean).join(' / ');
  if (bucket !== null) return `${endpoint}/${bucket}/${prefix ?? ''}`;
  if (roots !== null) return roots.join(', ') || 'All pages that are shared with the integration';
  return (startUrls ?? []).join(', ');
}
