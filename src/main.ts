import module from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Folder of the compiled code, next to the dependencies. Not the default in the temporary folder, where another user of
 * the machine could plant code.
 */
const packageFolder = import.meta.url.endsWith('.ts') ? '../' : '../../';
const cacheFolder = new URL(
  `${packageFolder}node_modules/.cache/grounded-chat/compiled/`,
  import.meta.url,
);

// Before all other imports. Node 20 has no compile cache. Without a writable folder, the service starts without it.
module.enableCompileCache?.(fileURLToPath(cacheFolder));
const { serve } = await import('./serve.ts');
await serve(process.env);
// Otherwise the cache is only written when the process exits by itself.
module.flushCompileCache?.();
