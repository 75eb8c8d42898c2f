import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { brotliDecompressSync, constants } from 'node:zlib';

/** What `record-release.ts` printed: the key of the demo project, and what clients read. */
export interface RecordedRelease {
  readonly key: string;
  readonly read: object;
}

/** Unpacks an installation of a release into a folder, and returns what its clients read of it. */
export async function unpackRelease(
  release: string,
  form: 'embedded' | 'postgres',
  folder: string,
): Promise<RecordedRelease> {
  const file = new URL(`../../fixtures/releases/${release}/${form}`, import.meta.url);
  const tar = brotliDecompressSync(await readFile(`${file.pathname}.tar.br`), {
    params: { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 1 },
  });
  execFileSync('tar', ['-x', '-C', folder], { input: tar });
  return JSON.parse(await readFile(`${file.pathname}.json`, 'utf8'));
}
