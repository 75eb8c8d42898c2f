import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Where `npm start` has it. */
const service = 'http://127.0.0.1:3000';
const here = fileURLToPath(new URL('.', import.meta.url));

// biome-ignore lint/style/noDefaultExport: Vite reads the default export.
export default defineConfig({
  root: here,
  base: '/dashboard/',
  plugins: [react(), compress()],
  build: {
    outDir: `${here}generated/site`,
    emptyOutDir: true,
    // The Content-Security-Policy allows files only.
    assetsInlineLimit: 0,
  },
  server: {
    // The page's own files are below some of these names, too.
    proxy: {
      '/graphql': service,
      '/api': service,
      '^/dashboard/session(?:/token)?$': service,
      '^/dashboard/upload(?:\\?|$)': service,
      '^/dashboard/sign-in\\.json$': service,
    },
  },
});

/** Leaves a compressed twin beside each script and style. */
function compress(): Plugin {
  return {
    name: 'compress',
    apply: 'build',
    writeBundle({ dir }, bundle) {
      for (const name of Object.keys(bundle).filter((name) => /\.(?:js|css)$/.test(name))) {
        const path = `${dir}/${name}`;
        writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
      }
    },
  };
}
