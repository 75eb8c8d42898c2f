import { contentTerms } from '../../text/terms.ts';
import { wordAffinity } from '../../text/word-affinity.ts';
import { modelFailure, throwIfAborted } from '../availability/model-failure.ts';
import { dotProduct } from '../embedding/dot-product.ts';
import { mean } from '../embedding/mean.ts';
import { answerCandidates } from '../extractive/answer-candidates.ts';
import { lacksCertainFact } from '../extractive/answer-type.ts';
import { askedRows } from '../extractive/asked-rows.ts';
import { selectFollowUpCandidates } from '../extractive/follow-up-candidates.ts';
import {
  preselectCandidates,
  type RankedCandidate,
  rankCandidates,
} from '../extractive/rank-candidates.ts';
import { referencedItem } from '../follow-up/follow-up.ts';
import { standaloneQuestion } from '../follow-up/standalone-question.ts';
import type { AnswerReader, AnswerRequest, EmbeddingModel, SourceReading } from '../models.ts';
import { readCandidates } from './answer-reading.ts';
import { answerabilityOf } from './answerability.ts';

/** The models that are used to choose sentences. */
export interface SourceModels {
  readonly embedding: EmbeddingModel;
  /** Without a reader, sentences are chosen by words and embedding. */
  readonly reader?: AnswerReader | undefined;
}

/** Candidates from the sources of a request, with their evaluation. */
export interface ReadSources extends SourceReading {
  readonly question: string;
  /** Texts that can be quoted, best first. */
  readonly ranked: readonly RankedCandidate[];
  /** Number of tokens that the embedding model read. */
  readonly tokens: number;
}

/** Log-odds if the answer depends on rows of a table that the sources may lack. */
const undecidedAnswerability = -5;

/** Ranks the texts of the sources by words, embedding and reader. */
export async function readSources(
  { embedding, reader }: SourceModels,
  request: AnswerRequest,
  signal: AbortSignal,
): Promise<ReadSources> {
  throwIfAborted(signal);
  const question = request.query ?? standaloneQuestion(request);
  const all = answerCandidates(request.sources);
  if (all.length === 0) throw modelFailure('The sources contain no text to answer from');
  // For "Explain the second one", the query consists of the words of that item, and the item is the answer. So it must
  // not count as a repetition of the question.
  const written = referencedItem(request) === null ? question : request.question;
  const useful = selectFollowUpCandidates(request, all);
  const { rows, isUndecided } = askedRows(question, useful);
  const candidates = preselectCandidates(question, useful, written, rows);
  if (candidates.length === 0) {
    return { question, ranked: [], answerability: null, wordShare: null, tokens: 0 };
  }
  const texts = [question, ...candidates.map(({ text }) => text)];
  const embedded = await embedding
    .embed(texts, { signal, kind: 'query' })
    .catch((error: unknown) => {
      throwIfAborted(signal);
      throw error;
    });
  const [questionVector = new Float32Array(), ...candidateVectors] = embedded.vectors;
  const similarities = candidateVectors.map((vector) => dotProduct(questionVector, vector));
  const { vocabularyCoverage = [] } = embedded;
  const input = { question, candidates, similarities, vocabularyCoverage };
  const reading = reader === undefined ? null : await readCandidates(reader, input, signal);
  const ranked = rankCandidates(candidates, similarities, reading);
  return {
    question,
    ranked,
    answerability: isUndecided ? undecidedAnswerability : answerabilityOf(request, ranked),
    wordShare: wordShareOf(question, ranked[0]),
    tokens: embedded.tokens,
  };
}

function wordShareOf(question: string, best: RankedCandidate | undefined): number | null {
  const asked = [...new Set(contentTerms(question))];
  if (best === undefined || asked.length === 0) return null;
  if (lacksCertainFact(question, best.text)) return 0;
  const shares = asked.map((term) =>
    Math.max(...best.terms.map((other) => wordAffinity(term, other))),
  );
  return mean(shares);
}
