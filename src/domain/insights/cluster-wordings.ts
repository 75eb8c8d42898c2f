import { setImmediate as nextTurn } from 'node:timers/promises';
import { dotProduct } from '../../models/embedding/dot-product.ts';

/**
 * Why a question takes part in the comparison. `DECIDED`: represents a group that the team has decided about. `ASKED`:
 * was not answered well. `EARLIER`: was not answered well in the period before. `ANSWERED`: was answered well.
 */
export type QuestionKind = 'DECIDED' | 'ASKED' | 'EARLIER' | 'ANSWERED';

/** Questions with the same words. */
export interface Wording {
  readonly places: readonly number[];
  /** Number of questions of the kind `ASKED`. */
  asked: number;
  readonly kinds: Set<QuestionKind>;
}

/** Wordings with the same meaning. */
interface Cluster {
  readonly wordings: Wording[];
  /** Vector of the first wording. Null if there are no vectors. */
  readonly vector: Float32Array | null;
}

/**
 * From this cosine similarity on, two questions count as having the same meaning. For comparison: "cancel my booking"
 * and "cancel my subscription", which differ in meaning, have 0.57.
 */
const minSimilarity = 0.65;

/**
 * For questions that were answered well. Higher than `minSimilarity`, because an answer to a similar question must not
 * hide a question that is still unanswered. "Do you deliver to Norway?" and "Do you deliver to Sweden?" have 0.87.
 */
const minAnsweredSimilarity = 0.9;

/** Number of wordings to compare before other work in the event loop may run. */
const yieldEvery = 50;

/**
 * Adds each wording to the cluster whose first wording is most similar. Starts a new cluster if the team has decided
 * about the wording, or if the wording was asked and no cluster is similar enough. Without vectors, each wording is its
 * own cluster.
 */
export async function clusterWordings(
  signal: AbortSignal,
  wordings: readonly Wording[],
  vectors: readonly Float32Array[] | null,
): Promise<readonly Cluster[]> {
  const clusters: Cluster[] = [];
  for (const [index, wording] of wordings.entries()) {
    if (index % yieldEvery === yieldEvery - 1) await nextTurn(undefined, { signal });
    const vector = vectors?.[index] ?? null;
    if (vectors !== null && vector === null) throw new Error('A question has no vector');
    const { kinds } = wording;
    const nearest = kinds.has('DECIDED') ? null : nearestCluster(vector, clusters, wording);
    if (nearest !== null) nearest.wordings.push(wording);
    else if (kinds.has('DECIDED') || kinds.has('ASKED')) {
      clusters.push({ wordings: [wording], vector });
    }
  }
  return clusters;
}

function nearestCluster(
  vector: Float32Array | null,
  clusters: readonly Cluster[],
  { kinds }: Wording,
): Cluster | null {
  if (vector === null) return null;
  const isOnlyAnswered = !kinds.has('ASKED') && !kinds.has('EARLIER');
  let nearest: Cluster | null = null;
  let bestSimilarity = isOnlyAnswered ? minAnsweredSimilarity : minSimilarity;
  for (const cluster of clusters) {
    const similarity = cluster.vector === null ? 0 : dotProduct(vector, cluster.vector);
    if (similarity < bestSimilarity) continue;
    bestSimilarity = similarity;
    nearest = cluster;
  }
  return nearest;
}
