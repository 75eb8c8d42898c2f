import type { Candidate } from '../../domain/evaluation/candidate.ts';
import type { QuestionInput } from '../../domain/evaluation/question-rows.ts';
import type {
  EvaluationResultRecord,
  EvaluationRunRecord,
} from '../../rest/evaluation/evaluation-run-record.ts';
import type {
  QuestionSetRecord,
  SetQuestionRecord,
} from '../../rest/evaluation/question-set-record.ts';

export interface RunOptions {
  readonly candidate: Candidate | null;
  /** Whether the language model of the service judges the answers, too. */
  readonly judgeByModel: boolean;
}

/** The project whose question sets and runs a command uses. Records are those of the REST API. */
export interface EvaluationTarget {
  /** Returns the pages of the question sets. */
  listSets(): AsyncIterable<readonly QuestionSetRecord[]>;
  createSet(name: string, questions: readonly QuestionInput[]): Promise<QuestionSetRecord>;
  addQuestions(setId: string, questions: readonly QuestionInput[]): Promise<QuestionSetRecord>;
  replaceQuestions(setId: string, questions: readonly QuestionInput[]): Promise<QuestionSetRecord>;
  /** Returns the pages of the questions of a set, in their order. */
  listQuestions(setId: string): AsyncIterable<readonly SetQuestionRecord[]>;
  /** @throws DomainError CONFLICT when another run of the set has not finished */
  startRun(setId: string, options: RunOptions): Promise<EvaluationRunRecord>;
  readRun(id: string): Promise<EvaluationRunRecord>;
  /** @throws DomainError CONFLICT when the run has finished */
  cancelRun(id: string): Promise<EvaluationRunRecord>;
  /** Returns the pages of the results of a run, in the order of the questions. */
  listResults(runId: string): AsyncIterable<readonly EvaluationResultRecord[]>;
}
