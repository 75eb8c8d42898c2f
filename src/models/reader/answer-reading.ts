import { mayBeEnglish } from '../../text/detect-language.ts';
import { mean } from '../embedding/mean.ts';
import type { Candidate } from '../extractive/candidate.ts';
import type { AnswerReader } from '../models.ts';

/** The result of the answer reader for one question and its candidates. */
export interface Reading {
  /** For each candidate: the value to add to its score, at most 0. */
  readonly bonuses: readonly number[];
  /** For each candidate: the log-odds that it answers the question. */
  readonly logOdds: readonly number[];
}

export interface ReadInput {
  readonly question: string;
  readonly candidates: readonly Pick<Candidate, 'source' | 'position' | 'text'>[];
  /** For each candidate: the cosine similarity with the question. */
  readonly similarities: readonly number[];
  /** How well the vocabulary covers the question (first value) and each candidate, from 0 to 1. */
  readonly vocabularyCoverage: readonly number[];
}

/**
 * Minimum vocabulary coverage of question and candidates. Below it, the text is probably not English, and the reader
 * knows only English.
 */
const minVocabularyCoverage = 0.5;

function isEnglish({ question, vocabularyCoverage }: ReadInput): boolean {
  const [ofQuestion = 0, ...ofCandidates] = vocabularyCoverage;
  return (
    mayBeEnglish(question) && Math.min(ofQuestion, mean(ofCandidates)) >= minVocabularyCoverage
  );
}

/**
 * Reads the candidates source by source, in the order of their text, because the reader compares neighboring texts.
 * Returns null if the question or the candidates are not English, or if the reader is unavailable.
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

/**
 * Weight of the reader's score when it is added to the score of words and embedding. The weight was fitted; see
 * docs/decisions/retrieval-trials.md.
 */
const scoreWeight = 0.05;
const maxScore = 10;

/**
 * Weight of the embedding similarity in the log-odds that a sentence is the answer. Learned together with the reader.
 */
const similarityWeight = 12.98;
const intercept = -8.64;

function clip(score: number): number {
  return Math.max(-maxScore, Math.min(maxScore, score));
}
