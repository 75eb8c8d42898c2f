import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** URL of the service that runs after `npm start`. */
const service = 'http://127.0.0.1:3000';
const here = fileURLToPath(new URL('.', import.meta.url));

/**
 * One script with the modules that at least four pages load. Otherwise each group of pages with a module in common gets a
 * script of its own, so that a page loads about sixty, and small scripts are compressed less.
 */
const sharedModules = { name: 'shared', minShareCount: 4 };

// biome-ignore lint/style/noDefaultExport: Vite reads the default export.
export default defineConfig({
  root: here,
  base: '/dashboard/',
  plugins: [react(), compress()],
  build: {
    outDir: `${here}generated/site`,
    emptyOutDir: true,
    // The Content-Security-Policy does not allow inlined `data:` assets.
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { groups: [sharedModules] } } },
  },
  server: {
    // Exact patterns are needed: a prefix would also match source files, such as those in the folder `session`.
    proxy: {
      '/graphql': service,
      '/api': service,
      '^/dashboard/session(?:/token)?$': service,
      '^/dashboard/upload(?:\\?|$)': service,
      '^/dashboard/sign-in\\.json$': service,
    },
  },
});

/** Writes a `.br` and a `.gz` file next to each script and style sheet. */
function compress(): Plugin {
  return {
    name: 'compress',
    apply: 'build',
    writeBundle({ dir }, bundle) {
      for (const name of Object.keys(bundle).filter((name) => /\.(?:js|css)$/.test(name))) {
        const path = `${dir}/${name}`;
        const bytes = readFileSync(path);
        writeFileSync(`${path}.br`, brotliCompressSync(bytes));
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}
