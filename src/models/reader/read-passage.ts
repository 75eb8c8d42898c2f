import type { Tokenizer } from '@huggingface/tokenizers';
import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { type ReadingWindow, readingWindows, windowTokens } from './reading-windows.ts';

/**
 * Maximum number of characters that the tokenizer receives, to limit its work. The model reads fewer characters than
 * this.
 */
const maxCharacters = 1_000;

export interface Passage {
  readonly question: string;
  readonly texts: readonly string[];
}

/** Returns the score of each text. See `AnswerReader.read`. */
export async function readPassage(
  session: InferenceSession,
  tokenizer: Tokenizer,
  { question, texts }: Passage,
): Promise<number[]> {
  const tokensOf = (text: string) =>
    tokenizer.encode(text.slice(0, maxCharacters)).ids.slice(1, -1);
  const scores: number[] = [];
  for (const window of readingWindows(tokensOf(question), texts.map(tokensOf))) {
    scores.push(...(await readWindow(session, window)));
  }
  return scores;
}

async function readWindow(session: InferenceSession, window: ReadingWindow): Promise<number[]> {
  const { ids, segments, questionMask, textMasks, separators } = windowTokens(window);
  const integers = (values: readonly number[]) =>
    new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
  const masks = (values: readonly number[], shape: readonly number[]) =>
    new Tensor('float32', Float32Array.from(values), shape);
  const output = await session.run({
    input_ids: integers(ids),
    token_type_ids: integers(segments),
    attention_mask: masks(new Array(ids.length).fill(1), [1, ids.length]),
    question_mask: masks(questionMask, [1, ids.length]),
    sent_mask: masks(textMasks.flat(), [1, textMasks.length, ids.length]),
    sep_index: integers(separators),
  });
  const scores = output.f?.data;
  if (!(scores instanceof Float32Array)) throw new Error('The answer reader returned no scores.');
  return [...scores];
}
