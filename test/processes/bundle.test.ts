import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** Returns the text of the modules that `path` imports, directly or not. The folder also has modules of older bundles. */
async function readModules(path: string, texts = new Map<string, string>()) {
  if (texts.has(path)) return texts;
  const text = await readFile(path, 'utf8');
  texts.set(path, text);
  for (const { groups } of text.matchAll(/(?:from|import\(?) ?"(?<file>\.{1,2}\/[^"]+\.js)"/g)) {
    await readModules(join(dirname(path), groups?.file ?? ''), texts);
  }
  return texts;
}

test("Prisma's query compiler is a file, not a text in a module, and V8 rarely optimises it", async () => {
  const modules = await readModules('dist/src/main.js');
  const texts = [...modules.values()];
  expect(texts.filter((text) => /"AGFzbQ[\w+/=]{1000000}/.test(text))).toHaveLength(0);

  const [path, loader] =
    [...modules].find(([, text]) => /query_compiler.*\.wasm"/.test(text)) ?? [];
  const file = /"(?<file>[^"]*query_compiler[^"]*\.wasm)"/.exec(loader ?? '')?.groups?.file ?? '';
  const compiler = await readFile(join(dirname(path ?? ''), file));
  expect(WebAssembly.validate(compiler)).toBe(true);
  expect(texts.filter((text) => text.includes('--wasm-tiering-budget'))).toHaveLength(1);
});
