/**
 * Splits texts into batches, one per request, and keeps their order. A batch has at most 96 texts and 200,000 UTF-16
 * units. This is below OpenAI's limit of 300,000 tokens per request, and small enough for local servers. A single
 * longer text is a batch of its own.
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
