import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

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
    proxy: {
      '/graphql': 'http://127.0.0.1:3000',
      '/api': 'http://127.0.0.1:3000',
      '/dashboard/session': 'http://127.0.0.1:3000',
      '/dashboard/sign-in.json': 'http://127.0.0.1:3000',
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
