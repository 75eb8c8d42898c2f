import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));

// biome-ignore lint/style/noDefaultExport: Vite reads the default export.
export default defineConfig({
  root: here,
  publicDir: false,
  build: {
    outDir: `${here}generated`,
    emptyOutDir: true,
    // Browser versions of the last three years that have constructable style sheets.
    target: ['chrome111', 'firefox115', 'safari16.4'],
    lib: {
      entry: 'widget.ts',
      formats: ['iife'],
      name: 'groundedChatScript',
      fileName: () => 'widget.js',
    },
  },
});
