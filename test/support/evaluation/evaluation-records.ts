import { computeFigures, figureNames } from '../../../src/domain/evaluation/figures.ts';
import type {
  EvaluationResultRecord,
  EvaluationRunRecord,
} from '../../../src/rest/evaluation/evaluation-run-record.ts';

/** Returns a run that is done, over no questions. */
export function evaluationRun(changes: Partial<EvaluationRunRecord> = {}): EvaluationRunRecord {
  const figures = computeFigures([]);
  return {
    ...{ id: 'run', projectId: 'project', setId: 'set', setVersion: 1, status: 'DONE' },
    ...{ candidate: {}, progress: { done: 1, total: 1 }, error: null },
    ...{ judgeModel: null, agreement: null },
    ...{ isScheduled: false, bounds: noBounds, failedBounds: [] },
    figures: { ...figures, reliability: [...figures.reliability] },
    createdAt: '2026-11-21T09:30:00.000Z',
    startedAt: '2026-11-21T09:30:01.000Z',
    finishedAt: '2026-11-21T09:31:10.000Z',
    ...changes,
  };
}

const noBounds = Object.fromEntries(
  figureNames.map((name) => [name, null]),
) as unknown as EvaluationRunRecord['bounds'];

/** Returns a right answer to a question that expects a document and a text. */
export function evaluationResult(
  changes: Partial<EvaluationResultRecord> = {},
): EvaluationResultRecord {
  const citation = {
    ...{ documentId: 'document', documentName: 'rules.md', chunkId: 'chunk', score: 0.9 },
    ...{ quote: 'The sauna opens at noon.', page: null, startOffset: 0, endOffset: 24 },
    ...{ sourceUrl: null, metadata: {} },
  };
  return {
    ...{ questionId: 'question', question: 'When does the sauna open?', expected: ['noon'] },
    ...{ documentId: null, documentName: 'rules.md', mustRefuse: false, tags: [], language: null },
    ...{ answer: 'The sauna opens at noon. [1]', citations: [citation], confidence: 0.9 },
    retrievalConfidence: 0.9,
    ...{ isDocumentMissing: false, rank: 1, firstCitationRight: true, containsExpected: true },
    ...{ refused: false, latencyMs: 1_500, inputTokens: 0, outputTokens: 0, embeddingTokens: 9 },
    ...{ modelVerdict: null, modelReason: null, judgeInputTokens: 0, judgeOutputTokens: 0 },
    ...{ mark: null, error: null },
    ...changes,
  };
}

/** Returns a refused question, with the changes. */
export function refusedResult(
  changes: Partial<EvaluationResultRecord> = {},
): EvaluationResultRecord {
  return evaluationResult({
    ...{ answer: 'I do not know.', citations: [], refused: true },
    ...{ firstCitationRight: false, containsExpected: false },
    ...changes,
  });
}
