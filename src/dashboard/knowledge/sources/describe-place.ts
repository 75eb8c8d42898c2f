import type { Source } from './source-operations.ts';

/** Returns what a source reads: addresses of a website, a repository and its folder, or a bucket and its prefix. */
export function describePlace({
  startUrls,
  url,
  path,
  endpoint,
  bucket,
  prefix,
}: Source['config']): string {
  if (url !== null) return [url, path].filter(Boolean).join(' / ');
  if (bucket !== null) return `${endpoint}/${bucket}/${prefix ?? ''}`;
  return (startUrls ?? []).join(', ');
}
