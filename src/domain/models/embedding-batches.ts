/**
 * Splits texts, in order, into requests of at most 96 texts and 200,000 UTF-16 units: below OpenAI's
 * 300,000 tokens a request, and small enough for local servers. A longer text goes alone.
 */
export function embeddingBatches(texts: readonly string[]): string[][] {
  const batches: string[][] = [];
  let batch: string[] = [];
  let length = 0;
  for (const text of texts) {
    const isFull = batch.length >= maxTexts || length + text.length > maxLength;
    if (batch.length === 0 || isFull) {
      batch = [];
      length = 0;
      batches.push(batch);
    }
    batch.push(text);
    length += text.length;
  }
  return batches;
}

const maxTexts = 96;
const maxLength = 200_000;
