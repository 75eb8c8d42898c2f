import { formatCountOf, formatPercent } from '../../format/format-numbers.ts';
import type { Run } from './run-operations.ts';

const exactTime = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });

/** Returns the name of a run, which is its time. It includes seconds, because runs of small sets take only seconds. */
export const runName = ({ createdAt }: Pick<Run, 'createdAt'>) =>
  `Run of ${exactTime.format(new Date(createdAt))}`;

export const isActive = ({ status }: Pick<Run, 'status'>) =>
  status === 'QUEUED' || status === 'RUNNING';

/** Returns the settings that a run tried instead of those of the project. */
export function describeCandidate(run: Pick<Run, 'candidate'>): string {
  const differences = triedSettings(run);
  return differences.length === 0 ? 'settings of the project' : differences.join(', ');
}

/** Returns a text for each setting that a run tried instead of that of the project. */
export function triedSettings({ candidate }: Pick<Run, 'candidate'>): readonly string[] {
  const settings = candidate as {
    readonly answerThreshold?: number | null;
    readonly instructions?: string | null;
    readonly contextChunks?: number | null;
    readonly chatModel?: string | null;
    readonly embeddingModel?: string | null;
    readonly withoutDocumentIds?: readonly string[] | null;
  };
  const { answerThreshold, instructions, contextChunks, chatModel, embeddingModel } = settings;
  const { withoutDocumentIds } = settings;
  return [
    answerThreshold == null ? null : `confidence threshold ${formatPercent(answerThreshold)}`,
    instructions == null ? null : 'other instructions',
    contextChunks == null ? null : `at most ${formatCountOf(contextChunks, 'context chunk')}`,
    chatModel == null ? null : `chat model ${chatModel}`,
    embeddingModel == null ? null : `embedding model ${embeddingModel}`,
    withoutDocumentIds == null || withoutDocumentIds.length === 0
      ? null
      : `without ${formatCountOf(withoutDocumentIds.length, 'document')}`,
  ].filter((difference) => difference !== null);
}

/** Interval in milliseconds at which an active run is read again. */
export const pollIntervalMs = 2_000;
