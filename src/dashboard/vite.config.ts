import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));

// biome-ignore lint/style/noDefaultExport: Vite reads the default export.
export default defineConfig({
  root: here,
  base: '/dashboard/',
  plugins: [react()],
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
