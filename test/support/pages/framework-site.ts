import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A website with the pages `/` and `/two` whose links a framework follows without loading a new document. */
export interface FrameworkSite {
  /** Origin of the site. */
  readonly url: string;
  stop(): Promise<void>;
}

const scripts = {
  turbo: 'node_modules/@hotwired/turbo/dist/turbo.es2017-umd.js',
  htmx: 'node_modules/htmx.org/dist/htmx.js',
};

/** Frameworks that replace the content of the body. `turbo-morph` changes the body in place instead. */
export type PageFramework = 'turbo' | 'turbo-morph' | 'htmx' | 'none';

export interface SiteOptions {
  readonly framework: PageFramework;
  /** Where the tag of the widget is. */
  readonly tagIn: 'head' | 'body';
}

/** Starts the site. `tag` returns the script tags of the widget. */
export async function startFrameworkSite(
  tag: (path: string) => string,
  { framework, tagIn }: SiteOptions,
): Promise<FrameworkSite> {
  const script = framework === 'htmx' ? scripts.htmx : scripts.turbo;
  const source = await readFile(script, 'utf8');
  let visits = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    if (path === '/framework.js') {
      return response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(source);
    }
    if (path !== '/' && path !== '/two') return response.writeHead(204).end();
    visits += 1;
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    return response.end(`<!doctype html>
<html lang="en">
<head><title>Page ${path}</title>
${framework === 'none' ? '' : '<script src="/framework.js"></script>'}
${framework === 'turbo-morph' ? '<meta name="turbo-refresh-method" content="morph">' : ''}
${tagIn === 'head' ? tag(path) : ''}
</head>
<body${framework === 'htmx' ? ' hx-boost:inherited="true"' : ''}><h1>Page ${path}</h1><p>Visit ${visits}</p>
<a href="${path === '/' ? '/two' : '/'}"${framework === 'turbo-morph' ? ' data-turbo-action="replace"' : ''}>Next page</a>
<a href="${path}" data-turbo-action="replace">Same page</a>
${tagIn === 'body' ? tag(path) : ''}
</body>
</html>`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
