import type { EmbeddingModel } from '../../models/models.ts';
import { DomainError } from '../../platform/errors.ts';
import { fold } from '../../text/tokenize.ts';
import type { Context } from '../context.ts';
import { countTokens } from '../usage/count-tokens.ts';
import { clusterWordings, type QuestionKind, type Wording } from './cluster-wordings.ts';
import { type Grouping, groupingKey, groupings, rememberGrouping } from './known-groupings.ts';
import { knownVectors, type VectorSource } from './known-vectors.ts';

/** A question of an end user. */
export interface GroupedQuestion {
  readonly messageId: string;
  readonly content: string;
  readonly kind: QuestionKind;
}

/**
 * Groups questions by wording, and then by meaning if the embedding model is available. Each group contains a question
 * of the kind `DECIDED` or `ASKED`. Questions of other kinds join the group with the same meaning, or are omitted. The
 * most frequent wording of a group comes first. Counts the embedding tokens as usage of the project. Questions whose
 * vectors are in the cache, such as those of the previous page, are not embedded again.
 */
export async function groupQuestions<Question extends GroupedQuestion>(
  context: Context,
  projectId: string,
  questions: readonly Question[],
): Promise<Question[][]> {
  const { model } = await context.models.servingEmbedding();
  const key = groupingKey(model?.name, questions);
  const known = groupings.get(key);
  if (known !== undefined) return questionsAt(known, questions);
  const wordings = groupByNormalizedText(questions);
  const vectors = await embedWordings(context, { projectId, model, wordings, questions });
  const clusters = await clusterWordings(context.signal, wordings, vectors);
  const grouping = clusters.map(({ wordings }) =>
    wordings.toSorted(mostAskedFirst).flatMap(({ places }) => places),
  );
  if (vectors !== null) rememberGrouping(key, grouping);
  return questionsAt(grouping, questions);
}

function questionsAt<Question>(grouping: Grouping, questions: readonly Question[]): Question[][] {
  return grouping.map((places) => places.flatMap((place) => questions[place] ?? []));
}

/**
 * Combines questions with the same words into one wording. Ignores case, accents and punctuation. Decided wordings come
 * first, because other wordings join their groups. The most frequent wordings follow.
 */
function groupByNormalizedText(questions: readonly GroupedQuestion[]): Wording[] {
  const wordings = new Map<string, Wording & { places: number[] }>();
  for (const [place, { content, kind }] of questions.entries()) {
    const words =
      fold(content)
        .match(/[\p{L}\p{M}\p{N}]+/gu)
        ?.join(' ') ?? content;
    const wording = wordings.get(words) ?? { places: [], asked: 0, kinds: new Set() };
    wordings.set(words, wording);
    wording.places.push(place);
    wording.kinds.add(kind);
    if (kind === 'ASKED') wording.asked += 1;
  }
  return [...wordings.values()].sort(
    (one, other) =>
      Number(other.kinds.has('DECIDED')) - Number(one.kinds.has('DECIDED')) ||
      mostAskedFirst(one, other),
  );
}

function mostAskedFirst(one: Wording, other: Wording): number {
  return other.asked - one.asked;
}

/**
 * Returns one vector per wording. Returns null if there is no model, the model fails, or there are fewer than two
 * wordings. Questions are then grouped by wording only.
 */
async function embedWordings(
  context: Context,
  {
    projectId,
    model,
    wordings,
    questions,
  }: {
    readonly projectId: string;
    readonly model: EmbeddingModel | null;
    readonly wordings: readonly Wording[];
    readonly questions: readonly GroupedQuestion[];
  },
): Promise<readonly Float32Array[] | null> {
  const { signal, log } = context;
  if (model === null || wordings.length < 2) return null;
  try {
    const texts = wordings.map(({ places: [first] }) => questions[first ?? 0]?.content ?? '');
    const source: VectorSource = {
      projectId,
      modelName: model.name,
      async embed(unknown) {
        const { vectors, tokens } = await model.embed(unknown, { signal });
        await countTokens(context, projectId, [{ model: model.name, kind: 'EMBEDDING', tokens }]);
        return vectors;
      },
    };
    return await knownVectors(source, texts);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof DomainError)) throw error;
    log.warn({ err: error }, 'failed to embed questions; grouping them by wording only');
    return null;
  }
}
