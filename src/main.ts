import module from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Folder of the compiled code, next to the dependencies. Node's default is in the temporary folder, where another user
 * of the machine could plant code.
 */
const packageFolder = import.meta.url.endsWith('.ts') ? '../' : '../../';
const cacheFolder = new URL(
  `${packageFolder}node_modules/.cache/grounded-chat/compiled/`,
  import.meta.url,
);

// Must run before all other imports. Node 20 has no compile cache. If the folder is not writable, the service starts
// without a cache.
module.enableCompileCache?.(fileURLToPath(cacheFolder));
const { serve } = await import('./serve.ts');
await serve(process.env);
// Without this call, Node writes the cache only when the process exits by itself.
module.flushCompileCache?.();
