import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import { fold } from '../knowledge/tokenize.ts';
import { countEmbeddingTokens } from '../usage/count-embedding-tokens.ts';

/** One message of an end user. */
export interface AskedQuestion {
  readonly messageId: string;
  readonly conversationId: string;
  readonly content: string;
  readonly askedAt: Date;
  /** Whether a reader has rated its answer as bad. */
  readonly isRatedBad: boolean;
}

/** Questions that mean the same. */
export interface QuestionGroup {
  /** In the words of most of them. */
  readonly question: string;
  readonly asked: readonly AskedQuestion[];
}

/**
 * Groups questions by their words, then by their meaning as far as the embedding model can be reached; its tokens
 * count as the project's. `questions` are the latest first.
 */
export async function groupQuestions(
  context: Context,
  projectId: string,
  questions: readonly AskedQuestion[],
): Promise<QuestionGroup[]> {
  const wordings = groupByWords(questions);
  const vectors = await embedAll(context, projectId, wordings);
  return vectors === null ? wordings : joinByMeaning(context.signal, wordings, vectors);
}

/** Without regard to case, accents and punctuation. The most frequent wording comes first, then the latest. */
function groupByWords(questions: readonly AskedQuestion[]): QuestionGroup[] {
  const groups = new Map<string, { question: string; asked: AskedQuestion[] }>();
  for (const asked of questions) {
    const words =
      fold(asked.content)
        .match(/[\p{L}\p{M}\p{N}]+/gu)
        ?.join(' ') ?? asked.content;
    const group = groups.get(words);
    if (group === undefined) groups.set(words, { question: asked.content, asked: [asked] });
    else group.asked.push(asked);
  }
  return [...groups.values()].sort((a, b) => b.asked.length - a.asked.length);
}

/** Null where there is no model: then words must do. */
async function embedAll(
  context: Context,
  projectId: string,
  wordings: readonly QuestionGroup[],
): Promise<readonly Float32Array[] | null> {
  const { models, signal, log } = context;
  const { model } = await models.servingEmbedding();
  if (model === null || wordings.length < 2) return null;
  try {
    const texts = wordings.map(({ question }) => question);
    const { vectors, tokens } = await model.embed(texts, { signal });
    await countEmbeddingTokens(context, projectId, tokens);
    return vectors;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof DomainError)) throw error;
    log.warn({ err: error }, 'questions are grouped by their words alone');
    return null;
  }
}

/** The least cosine of questions that count as one. Of "cancel my booking" and "cancel my subscription" it is 0.57. */
const minSimilarity = 0.65;

/** How many are compared with all groups before other work has its turn. */
const slice = 50;

interface OpenGroup {
  readonly question: string;
  readonly vector: Float32Array;
  readonly asked: AskedQuestion[];
}

/** Each joins the group whose first question is nearest, or begins one. */
async function joinByMeaning(
  signal: AbortSignal,
  wordings: readonly QuestionGroup[],
  vectors: readonly Float32Array[],
): Promise<QuestionGroup[]> {
  const groups: OpenGroup[] = [];
  for (const [index, { question, asked }] of wordings.entries()) {
    if (index % slice === slice - 1) await nextTurn(undefined, { signal });
    const vector = vectors[index];
    if (vector === undefined) throw new Error('A question without a vector');
    const nearest = nearestTo(vector, groups);
    if (nearest === null) groups.push({ question, vector, asked: [...asked] });
    else nearest.asked.push(...asked);
  }
  return groups;
}

function nearestTo(vector: Float32Array, groups: readonly OpenGroup[]): OpenGroup | null {
  let nearest: OpenGroup | null = null;
  let least = minSimilarity;
  for (const group of groups) {
    const similarity = cosine(vector, group.vector);
    if (similarity < least) continue;
    least = similarity;
    nearest = group;
  }
  return nearest;
}

/** Of unit vectors. */
function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let n = 0; n < a.length; n += 1) sum += (a[n] ?? 0) * (b[n] ?? 0);
  return sum;
}
