import type { Context } from '../context.ts';
import type { Citation } from '../conversations/citation.ts';
import type { Project } from '../organizations/find-project.ts';
import {
  type LanguageModelSettings,
  languageModelColumnsOf,
  requireWithinLimits,
} from '../organizations/language-model-settings.ts';
import { requireProject } from '../organizations/require-project.ts';
import { consumeCostlyLimit } from '../usage/costly-limit.ts';
import { lowConfidenceThreshold } from '../usage/low-confidence.ts';
import { answerWithoutStoring } from './answer-without-storing.ts';
import { withProjectModel } from './project-model.ts';
import type { Traced } from './traces/find-unstored-trace.ts';

/** An answer of the assistant that is not stored. */
export interface AnswerPreview extends Traced {
  readonly content: string;
  readonly citations: readonly Citation[];
  /** Confidence in the answer, 0 to 1. */
  readonly confidence: number;
  /** Whether the documents answer the question with sufficient confidence. */
  readonly isAnswered: boolean;
}

/** Settings that a preview tries. Those that are omitted are the project's. */
interface TriedSettings {
  /** Minimum confidence for an answer, 0 to 1. Null: the default of the model. */
  readonly confidenceThreshold?: number | null;
  readonly languageModel?: LanguageModelSettings | null;
}

const previewTimeoutMs = 60_000;

/**
 * Answers a question as the assistant would at the start of a conversation. Stores nothing and consumes none of the
 * monthly allowance. Therefore only callers who may work on handoffs can use it. Counts the tokens. Aborts after 60
 * seconds.
 *
 * @throws DomainError from `requireProject`, `requireWithinLimits`, `consumeCostlyLimit` and `AnswerStarts.admit`.
 */
export async function previewAnswer(
  installation: Context,
  input: TriedSettings & { readonly projectId: string; readonly question: string },
): Promise<AnswerPreview> {
  const { projectId, question, languageModel } = input;
  const stored = await requireProject(installation, projectId, 'handoffs:work');
  if (languageModel != null) requireWithinLimits(installation.models.chat, languageModel);
  const project = withTriedSettings(stored, input);
  await consumeCostlyLimit(installation, 'drafts');
  const signal = AbortSignal.any([installation.signal, AbortSignal.timeout(previewTimeoutMs)]);
  const context = withProjectModel({ ...installation, signal }, project);
  const asked = { project, question, subject: 'preview' };
  const { content, citations, confidence, trace } = await answerWithoutStoring(context, asked);
  const isAnswered = citations.length > 0 && confidence >= lowConfidenceThreshold;
  return { content, citations, confidence, isAnswered, projectId, trace };
}

function withTriedSettings(
  project: Project,
  { confidenceThreshold, languageModel }: TriedSettings,
): Project {
  return {
    ...project,
    ...(confidenceThreshold !== undefined && { confidenceThreshold }),
    ...(languageModel != null && languageModelColumnsOf(languageModel)),
  };
}
