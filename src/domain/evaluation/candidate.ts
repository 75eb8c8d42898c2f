import { z } from 'zod';
import type { ChatModel } from '../../models/models.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Project } from '../organizations/find-project.ts';
import {
  installedSettings,
  requireWithinLimits,
} from '../organizations/language-model-settings.ts';

/** Settings that a run tries instead of those of the project. Absent or null: the setting of the project. */
export const candidateSchema = z.object({
  instructions: z.string().nullish(),
  /** Confidence from which the assistant answers, 0 to 1. */
  answerThreshold: z.number().nullish(),
  /** Maximum number of chunks that the language model receives. */
  contextChunks: z.number().nullish(),
  /** Name of another chat model of the same model server. */
  chatModel: z.string().nullish(),
  /** Name of another embedding model. Stored as the name that its vectors have. */
  embeddingModel: z.string().nullish(),
  /** Ids of documents that are left out. */
  withoutDocumentIds: z.array(z.string()).nullish(),
});

export type Candidate = z.infer<typeof candidateSchema>;

/**
 * Refuses settings that this installation cannot try.
 * @throws DomainError VALIDATION_FAILED
 */
export async function requireUsable(
  chat: ChatModel,
  { chatModel, contextChunks }: Candidate,
  signal: AbortSignal,
): Promise<void> {
  const hasSettings = installedSettings(chat) !== null;
  if (contextChunks != null) {
    if (!hasSettings) throw invalid('candidate.contextChunks needs a language model');
    requireWithinLimits(chat, { contextChunks });
  }
  if (chatModel == null || chatModel === chat.name) return;
  if (chat.hasModel === undefined) throw invalid('candidate.chatModel needs a model server');
  if (await chat.hasModel(chatModel, signal)) return;
  throw invalid(`candidate.chatModel must be a model of the model server: it has no ${chatModel}`);
}

function invalid(message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', [message]);
}

/** Returns the project with the settings of the candidate. */
export function withCandidate(project: Project, candidate: Candidate): Project {
  const { instructions, answerThreshold, contextChunks } = candidate;
  return {
    ...project,
    instructions: instructions ?? project.instructions,
    confidenceThreshold: answerThreshold ?? project.confidenceThreshold,
    chatContextChunks: contextChunks ?? project.chatContextChunks,
  };
}
