// For the container image, after `npm prune --omit=dev`: removes files from `node_modules` that production never loads.
// Some packages contain files for every platform and database.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { notInImage } from './prune-list.mjs';

for (const name of notInImage) remove(`node_modules/${name}`);

const platform = `${process.platform}/${process.arch}`;
const runtimes = 'node_modules/onnxruntime-node/bin/napi-v6';
for (const system of readdirSync(runtimes)) {
  for (const machine of readdirSync(`${runtimes}/${system}`)) {
    if (`${system}/${machine}` !== platform) remove(`${runtimes}/${system}/${machine}`);
  }
}
const compilers = 'node_modules/@prisma/client/runtime';
for (const file of readdirSync(compilers)) {
  const isOther = /\.(?:cockroachdb|mysql|sqlite|sqlserver)\./.test(file);
  if (isOther || file.endsWith('.map')) remove(`${compilers}/${file}`);
}

// OCR loads only one build of Tesseract, and the smaller data file of each language.
const tesseract = 'node_modules/tesseract.js-core';
for (const file of existsSync(tesseract) ? readdirSync(tesseract) : []) {
  const isOther = file.startsWith('tesseract-core') && !/-core-simd-lstm\.(?:js|wasm)$/.test(file);
  if (isOther) remove(`${tesseract}/${file}`);
}
remove('node_modules/@tesseract.js-data/eng/4.0.0');

function remove(path) {
  rmSync(path, { recursive: true, force: true });
}
