import { detectLanguage } from '../../text/detect-language.ts';
import { mean } from '../embedding/mean.ts';
import type { RankedCandidate } from '../extractive/rank-candidates.ts';
import type { AnswerReader } from '../models.ts';

/** The answer reader's result for a question and its candidates. */
export interface Reading {
  /** Per candidate, at most 0: what to add to its score. */
  readonly bonuses: readonly number[];
  /** Per candidate, the log-odds that it answers the question. */
  readonly logOdds: readonly number[];
}

export interface ReadInput {
  readonly question: string;
  readonly candidates: readonly RankedCandidate[];
  /** Cosine similarities of each candidate and the question. */
  readonly similarities: readonly number[];
  /** How well the vocabulary covers the question and each candidate, 0 to 1. */
  readonly vocabularyCoverage: readonly number[];
}

/** The reader knows English only. */
const minVocabularyCoverage = 0.5;

function isEnglish({ question, vocabularyCoverage }: ReadInput): boolean {
  const [ofQuestion = 0, ...ofCandidates] = vocabularyCoverage;
  const language = detectLanguage(question);
  return (
    (language === null || language === 'en') &&
    Math.min(ofQuestion, mean(ofCandidates)) >= minVocabularyCoverage
  );
}

/**
 * Returns null if question or candidates are not English or the reader is unavailable. Reads the candidates source by
 * source in the order of the text, because the reader compares neighbors.
 */
export async function readCandidates(
  reader: AnswerReader,
  input: ReadInput,
  signal: AbortSignal,
): Promise<Reading | null> {
  if (!isEnglish(input)) return null;
  const { question, candidates, similarities } = input;
  const sources = [...new Set(candidates.map(({ source }) => source))];
  const passages = sources.map((source) =>
    candidates
      .filter((candidate) => candidate.source === source)
      .sort((left, right) => left.position - right.position),
  );
  const texts = passages.map((passage) => passage.map(({ text }) => text));
  const read = await reader.read(question, texts, signal);
  if (read === null) return null;
  const scoreOf = new Map(
    passages.flatMap((passage, number) =>
      passage.map((candidate, place) => [candidate, clip(read[number]?.[place] ?? 0)]),
    ),
  );
  const scores = candidates.map((candidate) => scoreOf.get(candidate) ?? 0);
  const highest = Math.max(...scores);
  return {
    bonuses: scores.map((score) => scoreWeight * (score - highest)),
    logOdds: scores.map(
      (score, index) => score + similarityWeight * (similarities[index] ?? 0) + intercept,
    ),
  };
}

/** Weight of the score beyond the score by words and embedding. Fitted; see docs/decisions/retrieval-trials.md. */
const scoreWeight = 0.05;
const maxScore = 10;

/** Log-odds that a sentence is the answer, by its similarity. Learned with the reader. */
const similarityWeight = 12.98;
const intercept = -8.64;

function clip(score: number): number {
  return Math.max(-maxScore, Math.min(maxScore, score));
}
