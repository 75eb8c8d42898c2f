import { on } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { Tokenizer } from '@huggingface/tokenizers';
import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { type Passage, readPassage } from '../reader/read-passage.ts';
import { loadSession, readWeightsFile } from '../weights-files.ts';

export interface TextEmbedding {
  readonly type: 'embedded';
  /** Embedding of the text: a vector of length 1. */
  readonly vector: Float32Array;
  /** Number of tokens that the model read. */
  readonly tokens: number;
  /** How well the model's vocabulary covers the words of the text, from 0 to 1. */
  readonly vocabularyCoverage: number;
}

/** Scores that the answer reader gives to the texts of a passage. */
export interface PassageScores {
  readonly type: 'read';
  readonly scores: readonly number[];
}

/** Messages from the thread: first `ready`, then one message for each request. */
export type WorkerMessage =
  | TextEmbedding
  | PassageScores
  | { readonly type: 'ready' }
  | { readonly type: 'failed'; readonly message: string };

/** Messages to the thread. */
export type WorkerRequest = WorkerTask | 'stop';

/** A text to embed, or a passage for the answer reader. The answer reader is loaded when the first passage arrives. */
export type WorkerTask = { readonly text: string } | { readonly passage: Passage };

/** Maximum sequence length, from the model card. The model was not trained on longer texts. */
const maxTokens = 256;

/**
 * Maximum number of characters that the tokenizer receives, to limit its work. A text of this length has more than 256
 * tokens.
 */
const maxCharacters = 4000;

interface Model {
  readonly tokenizer: Tokenizer;
  readonly separator: number;
  readonly session: InferenceSession;
  reader: Promise<InferenceSession> | null;
}

if (parentPort) await serve(parentPort, busyFlag(workerData));

/** Handles requests one at a time, so that the session is never released during inference. */
async function serve(port: MessagePort, busy: Int32Array): Promise<void> {
  const model = await loadModel();
  port.postMessage({ type: 'ready' } satisfies WorkerMessage);
  for await (const [message] of on(port, 'message')) {
    const request: WorkerRequest = message;
    if (request === 'stop') break;
    const answer = await run(model, request).catch(failedMessage);
    Atomics.store(busy, 0, 0);
    Atomics.notify(busy, 0);
    port.postMessage(answer);
  }
  await model.session.release();
  await model.reader?.then((reader) => reader.release()).catch(() => {});
  port.close();
}

function run(model: Model, task: WorkerTask): Promise<WorkerMessage> {
  return 'text' in task ? embed(model, task.text) : read(model, task.passage);
}

async function read(model: Model, passage: Passage): Promise<WorkerMessage> {
  model.reader ??= loadSession('answer-reader/model_int8.onnx');
  return {
    type: 'read',
    scores: await readPassage(await model.reader, model.tokenizer, passage),
  };
}

function busyFlag(data: unknown): Int32Array {
  if (data instanceof SharedArrayBuffer) return new Int32Array(data);
  throw new Error('The worker was started without its busy flag.');
}

async function loadModel(): Promise<Model> {
  const [vocabulary, config, session] = await Promise.all([
    readWeightsFile('all-MiniLM-L6-v2/tokenizer.json'),
    readWeightsFile('all-MiniLM-L6-v2/tokenizer_config.json'),
    loadSession('all-MiniLM-L6-v2/onnx/model_quantized.onnx'),
  ]);
  const tokenizer = new Tokenizer(
    JSON.parse(vocabulary.toString('utf8')),
    JSON.parse(config.toString('utf8')),
  );
  const separator = tokenizer.token_to_id('[SEP]');
  if (separator === undefined) throw new Error('The tokenizer has no [SEP] token.');
  return { tokenizer, separator, session, reader: null };
}

async function embed(model: Model, text: string): Promise<WorkerMessage> {
  const read = text.slice(0, maxCharacters);
  const encoded = model.tokenizer.encode(read).ids;
  const ids = encoded.slice(0, maxTokens);
  if (ids.length === maxTokens) ids[maxTokens - 1] = model.separator;
  const shape = [1, ids.length];
  const output = await model.session.run({
    input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), shape),
    attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
    token_type_ids: new Tensor('int64', new BigInt64Array(ids.length), shape),
  });
  const states = output.last_hidden_state?.data;
  if (!(states instanceof Float32Array)) throw new Error('The model returned no hidden states.');
  return {
    type: 'embedded',
    vector: meanPoolAndNormalize(states, ids.length),
    tokens: ids.length,
    vocabularyCoverage: vocabularyCoverage(read, encoded.length - 2),
  };
}

/**
 * Returns how well the English vocabulary covers the text, from 0 to 1. The more tokens the words need, the less their
 * vectors mean. Up to 1.4 tokens per word, the result is 1. It falls to 0 at 2.6 tokens per word. English has 1.0 to
 * 1.4 tokens per word, Spanish 1.7, German 2.1, Arabic 5.
 */
function vocabularyCoverage(text: string, pieces: number): number {
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu)?.length ?? 0;
  const punctuation = text.match(/[^\s\p{L}\p{M}\p{N}]/gu)?.length ?? 0;
  if (words === 0) return 0;
  return Math.min(1, Math.max(0, (2.6 - (pieces - punctuation) / words) / 1.2));
}

/**
 * Returns the mean of the token vectors, scaled to length 1. This follows the model card of
 * sentence-transformers/all-MiniLM-L6-v2.
 */
function meanPoolAndNormalize(states: Float32Array, tokens: number): Float32Array {
  const dimensions = states.length / tokens;
  const vector = new Float32Array(dimensions);
  for (let index = 0; index < states.length; index++) {
    const dimension = index % dimensions;
    vector[dimension] = (vector[dimension] ?? 0) + (states[index] ?? 0);
  }
  const norm = Math.hypot(...vector) || 1;
  return vector.map((value) => value / norm);
}

function failedMessage(error: unknown): WorkerMessage {
  return { type: 'failed', message: error instanceof Error ? error.message : String(error) };
}
