import { setImmediate as nextTurn } from 'node:timers/promises';
import { dotProduct } from '../../models/dot-product.ts';
import type { EmbeddingModel } from '../../models/models.ts';
import { DomainError } from '../../platform/errors.ts';
import { fold } from '../../text/tokenize.ts';
import type { Context } from '../context.ts';
import { countEmbeddingTokens } from '../usage/count-embedding-tokens.ts';
import { groupAt, groupingKey, groupings, rememberGrouping } from './known-groupings.ts';

/** A question that an end user asked. */
export interface AskedQuestion {
  readonly messageId: string;
  readonly conversationId: string;
  readonly content: string;
  readonly askedAt: Date;
  /** Whether the answer to the question was rated DOWN. */
  readonly isRatedBad: boolean;
}

/** Questions with the same meaning. */
export interface QuestionGroup {
  /** The most frequent wording. */
  readonly question: string;
  readonly asked: readonly AskedQuestion[];
}

/**
 * Groups questions by wording, then by meaning if the embedding model is available. Counts the embedding tokens as
 * usage of the project. The same questions, such as for the next page, are not embedded again. `questions` must be sorted
 * latest first.
 */
export async function groupQuestions(
  context: Context,
  projectId: string,
  questions: readonly AskedQuestion[],
): Promise<QuestionGroup[]> {
  const { model } = await context.models.servingEmbedding();
  const key = groupingKey(model?.name, questions);
  const known = groupings.get(key);
  if (known !== undefined) return known.map((places) => groupAt(places, questions));
  const wordings = groupByNormalizedText(questions);
  const vectors = await embedQuestions(context, { projectId, model, wordings });
  if (vectors === null) return wordings;
  const groups = await clusterByEmbedding(context.signal, wordings, vectors);
  rememberGrouping(key, groups, questions);
  return groups;
}

/**
 * Groups questions with the same words, ignoring case, accents and punctuation. Sorts by frequency, then latest first.
 */
function groupByNormalizedText(questions: readonly AskedQuestion[]): QuestionGroup[] {
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

/**
 * Returns one vector per wording. Returns null if there is no model, the model fails, or there are fewer than two
 * wordings. Questions are then grouped by wording only.
 */
async function embedQuestions(
  context: Context,
  {
    projectId,
    model,
    wordings,
  }: {
    readonly projectId: string;
    readonly model: EmbeddingModel | null;
    readonly wordings: readonly QuestionGroup[];
  },
): Promise<readonly Float32Array[] | null> {
  const { signal, log } = context;
  if (model === null || wordings.length < 2) return null;
  try {
    const texts = wordings.map(({ question }) => question);
    const { vectors, tokens } = await model.embed(texts, { signal });
    await countEmbeddingTokens(context, projectId, tokens);
    return vectors;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof DomainError)) throw error;
    log.warn({ err: error }, 'failed to embed questions; grouping them by wording only');
    return null;
  }
}

/**
 * Questions count as having the same meaning from this cosine similarity on. "cancel my booking" and "cancel my
 * subscription", which differ in meaning, have 0.57.
 */
const minSimilarity = 0.65;

/** Number of questions to compare before other work in the event loop gets a turn. */
const yieldEvery = 50;

interface QuestionCluster {
  readonly question: string;
  readonly vector: Float32Array;
  readonly asked: AskedQuestion[];
}

/**
 * Adds each wording to the group whose first question is most similar. Starts a new group if none is similar enough.
 */
async function clusterByEmbedding(
  signal: AbortSignal,
  wordings: readonly QuestionGroup[],
  vectors: readonly Float32Array[],
): Promise<QuestionGroup[]> {
  const groups: QuestionCluster[] = [];
  for (const [index, { question, asked }] of wordings.entries()) {
    if (index % yieldEvery === yieldEvery - 1) await nextTurn(undefined, { signal });
    const vector = vectors[index];
    if (vector === undefined) throw new Error('A question has no vector');
    const nearest = nearestCluster(vector, groups);
    if (nearest === null) groups.push({ question, vector, asked: [...asked] });
    else nearest.asked.push(...asked);
  }
  return groups;
}

function nearestCluster(
  vector: Float32Array,
  groups: readonly QuestionCluster[],
): QuestionCluster | null {
  let nearest: QuestionCluster | null = null;
  let bestSimilarity = minSimilarity;
  for (const group of groups) {
    const similarity = dotProduct(vector, group.vector);
    if (similarity < bestSimilarity) continue;
    bestSimilarity = similarity;
    nearest = group;
  }
  return nearest;
}
