// Packs a stopped installation for test/fixtures/releases: node test/support/releases/pack-release.mjs FOLDER OUT.tar.br
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';

const [folder, out] = process.argv.slice(2);
const tar = execFileSync('tar', ['-c', '--exclude=disk-reserve-*', '-C', folder, '.'], {
  maxBuffer: 1_000_000_000,
});
// The template databases of a cluster are copies: a large window finds them.
const params = {
  [constants.BROTLI_PARAM_LARGE_WINDOW]: 1,
  [constants.BROTLI_PARAM_LGWIN]: 27,
  [constants.BROTLI_PARAM_SIZE_HINT]: tar.length,
};
writeFileSync(out, brotliCompressSync(tar, { params }));
