import { webcrypto } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { InferenceSession } from 'onnxruntime-node';

/**
 * SHA-256 hashes of the supported files. No other files are loaded, because retrieval, answers and confidence are
 * calibrated for these files.
 */
const hashes = {
  'all-MiniLM-L6-v2/onnx/model_quantized.onnx':
    'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
  'all-MiniLM-L6-v2/tokenizer.json':
    'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
  'all-MiniLM-L6-v2/tokenizer_config.json':
    '9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3',
  'answer-reader/model_int8.onnx':
    'eb807d16c84d9d5699dbbe929b3c9feca9bf9021ac746c4ab8d375b40710bc65',
} as const;

type WeightsFile = keyof typeof hashes;

/** @throws Error when the file is missing or has an unexpected hash. */
export async function readWeightsFile(name: WeightsFile): Promise<Buffer> {
  const bytes = await readFile(new URL(`./weights/${name}`, import.meta.url));
  const hash = Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex');
  if (hash !== hashes[name])
    throw new Error(
      `${name} has an unexpected SHA-256 hash: ${hash}. Restore the file from the repository.`,
    );
  return bytes;
}

/**
 * Loads a model. The model uses one thread and reads one text at a time, because batches and two threads were slower on
 * two cores. In addition, 8-bit activations are scaled per batch, so in a batch the result of a text would depend on
 * the other texts.
 */
export async function loadSession(name: WeightsFile): Promise<InferenceSession> {
  return InferenceSession.create(await readWeightsFile(name), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
  });
}
