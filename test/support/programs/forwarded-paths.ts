import { readFileSync } from 'node:fs';
import { type Manifest, readManifests } from './read-manifests.ts';

interface ForwardedPaths {
  /** The paths without those below them. */
  readonly roots: ReadonlySet<string>;
  forwards(path: string): boolean;
}

/** What each example of a proxy forwards to the service, and what the guide says. */
export const forwardedPaths: Readonly<Record<string, () => ForwardedPaths>> = {
  Caddyfile() {
    const [, matcher = ''] = /@service path (.+)/.exec(readFileSync('Caddyfile', 'utf8')) ?? [];
    const patterns = matcher.split(' ');
    return {
      roots: new Set(patterns.map((pattern) => pattern.replace(/(.)\/\*?$/, '$1'))),
      forwards: (path) =>
        patterns.some((pattern) =>
          pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern,
        ),
    };
  },

  'deploy/nginx/grounded-chat.conf'() {
    const text = readFileSync('deploy/nginx/grounded-chat.conf', 'utf8');
    const blocks = [...text.matchAll(/location ~ (\S+) \{\s+proxy_pass/g)];
    const patterns = blocks.map(([, pattern = '']) => new RegExp(pattern));
    // Each pattern begins with `^/(one|another)`.
    const names = patterns.flatMap(
      ({ source }) => /\(([^)]+)\)/.exec(source)?.[1]?.split('|') ?? [],
    );
    const roots = names.map((name) => `/${name.replaceAll('\\', '')}`);
    return {
      roots: new Set(['/', ...roots]),
      forwards: (path) => patterns.some((pattern) => pattern.test(path)),
    };
  },

  'deploy/kubernetes/ingress.yaml'() {
    const [ingress] = readManifests('deploy/kubernetes/ingress.yaml');
    const paths: Manifest[] = ingress?.spec.rules[0].http.paths;
    const isBelow = (path: string, root: string) => path === root || path.startsWith(`${root}/`);
    return {
      roots: new Set(paths.map(({ path }) => path)),
      forwards: (path) =>
        paths.some((one) =>
          one.pathType === 'Prefix' ? isBelow(path, one.path) : path === one.path,
        ),
    };
  },

  'docs/guides/deployment.md'() {
    const guide = readFileSync('docs/guides/deployment.md', 'utf8');
    const [, section = ''] = /## The proxy in front\n([\s\S]*?)\n## /.exec(guide) ?? [];
    const rows = section.split('\n').filter((line) => /^\s*\| `\//.test(line));
    const cells = rows.map((row) => row.split('|')[1] ?? '');
    const named = cells.flatMap((cell) =>
      [...cell.matchAll(/`(\/[^`]*)`/g)].map(([, path = '']) => path),
    );
    return {
      roots: new Set(named),
      forwards: (path) =>
        named.some((name) => path === name || (name !== '/' && path.startsWith(`${name}/`))),
    };
  },
};
