import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('the weights of the built-in models are in the repository, and no package is needed for them', () => {
  const listed = execFileSync('git', ['ls-files', 'src/models/weights'], { cwd: root });
  expect(listed.toString().trim().split('\n')).toEqual([
    'src/models/weights/all-MiniLM-L6-v2/onnx/model_quantized.onnx',
    'src/models/weights/all-MiniLM-L6-v2/tokenizer.json',
    'src/models/weights/all-MiniLM-L6-v2/tokenizer_config.json',
    'src/models/weights/answer-reader/model_int8.onnx',
  ]);
  const { packages } = JSON.parse(readFileSync(`${root}/package-lock.json`, 'utf8'));
  expect(Object.keys(packages).filter((path) => path.includes('embeddings'))).toEqual([]);
});
