import { createHash } from 'node:crypto';

/** Maximum memory for the vectors, in bytes. 1,700 questions need 2.6 MB with the built-in model. */
const maxBytes = 32 * 1024 * 1024;

/**
 * The latest vectors that this process has computed, oldest first. Contains no texts, so that erased questions do not
 * stay in memory.
 */
const known = new Map<string, Float32Array>();
let knownBytes = 0;

export interface VectorSource {
  /**
   * Projects do not share vectors. A known vector costs no tokens, so a shared vector would reveal that another project
   * has used the same text.
   */
  readonly projectId: string;
  readonly modelName: string;
  /** Embeds texts. Returns one vector per text. */
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
}

/** Returns one vector per text. Embeds only texts whose vectors are not known yet. */
export async function knownVectors(
  { projectId, modelName, embed }: VectorSource,
  texts: readonly string[],
): Promise<readonly Float32Array[]> {
  const keys = texts.map((text) =>
    createHash('sha256').update(`${projectId}\n${modelName}\n${text}`).digest('base64'),
  );
  const found = keys.map((key) => known.get(key));
  const missing = [...keys.keys()].filter((index) => found[index] === undefined);
  const embedded =
    missing.length === 0 ? [] : await embed(missing.map((index) => texts[index] ?? ''));
  for (const [place, index] of missing.entries()) found[index] = embedded[place];
  return found.map((vector, index) => {
    if (vector === undefined) throw new Error('A question has no vector');
    remember(keys[index] ?? '', vector);
    return vector;
  });
}

function remember(key: string, vector: Float32Array): void {
  if (known.delete(key)) knownBytes -= vector.byteLength;
  known.set(key, vector);
  knownBytes += vector.byteLength;
  for (const [oldestKey, oldest] of known) {
    if (knownBytes <= maxBytes) return;
    known.delete(oldestKey);
    knownBytes -= oldest.byteLength;
  }
}
