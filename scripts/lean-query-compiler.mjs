import { readFile } from 'node:fs/promises';

const compile = 'return new WebAssembly.Module(wasmArray)';

/** Budget at which V8 optimises a function of the query compiler. V8's default follows the module. */
const compileLean = `
  setFlagsFromString('--wasm-tiering-budget=2000000000')
  try {
    ${compile}
  } finally {
    setFlagsFromString('--wasm-tiering-budget=13000000')
  }`;

/**
 * Bundles Prisma's query compiler (WebAssembly) so that it needs less memory and processor time:
 * - Prisma ships it as base64 in a module, which V8 keeps in memory. The bundle has it in a file of its own.
 * - V8 optimises WebAssembly while the first queries are compiled. This takes longer than the queries themselves and
 *   leaves tens of megabytes of unused memory. Because Prisma caches the plans of queries, the compiler runs rarely. So
 *   V8 optimises only functions that run a hundred times as long as usual.
 */
export const leanQueryCompiler = {
  name: 'lean-query-compiler',
  setup({ onResolve, onLoad }) {
    onLoad({ filter: /query_compiler_\w+\.\w+\.wasm-base64\.mjs$/ }, ({ path }) => ({
      contents: `
        import { readFileSync } from 'node:fs';
        import file from ${JSON.stringify(`decoded:${path}`)};
        export const wasm = readFileSync(new URL(file, import.meta.url));`,
      loader: 'js',
    }));
    onResolve({ filter: /^decoded:/ }, ({ path }) => ({
      path: path.slice('decoded:'.length).replace('-base64.mjs', ''),
      namespace: 'decoded',
      pluginData: path.slice('decoded:'.length),
    }));
    onLoad({ filter: /./, namespace: 'decoded' }, async ({ pluginData }) => {
      const { wasm } = await import(pluginData);
      return { contents: Buffer.from(wasm, 'base64'), loader: 'file' };
    });
    onLoad({ filter: /prisma[\\/]internal[\\/]class\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes(compile)) throw new Error('Prisma loads its query compiler differently');
      const contents = text.replace(compile, compileLean);
      return {
        contents: `import { setFlagsFromString } from 'node:v8'\n${contents}`,
        loader: 'ts',
      };
    });
  },
};
