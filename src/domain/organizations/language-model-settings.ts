import { defaultContextLimits } from '../../models/context-limits.ts';
import type { ChatModel, ChatModelSettings } from '../../models/models.ts';
import { DomainError } from '../../platform/errors.ts';

/** A project's settings of the language model. Null means that the value of the installation applies. */
export interface LanguageModelSettings {
  readonly temperature?: number | null;
  readonly reasoningEffort?: string | null;
  readonly maxOutputTokens?: number | null;
  readonly contextChunks?: number | null;
  readonly contextTokens?: number | null;
}

/**
 * Returns the settings of the installation. Returns null if its chat model has no settings, such as the built-in model.
 */
export function installedSettings({
  options,
  contextLimits = defaultContextLimits,
}: ChatModel): ChatModelSettings | null {
  return options === undefined ? null : { options, contextLimits };
}

/**
 * Refuses settings above the limits of the installation.
 *
 * @throws DomainError VALIDATION_FAILED with a message for each such setting.
 */
export function requireWithinLimits(model: ChatModel, settings: LanguageModelSettings): void {
  const installed = installedSettings(model);
  if (installed === null) return;
  const limits = {
    maxOutputTokens: installed.options.maxOutputTokens,
    contextChunks: installed.contextLimits.maxChunks,
    contextTokens: installed.contextLimits.maxTokens,
  };
  const messages = (['maxOutputTokens', 'contextChunks', 'contextTokens'] as const).flatMap(
    (name) => {
      const limit = limits[name];
      const isAbove = limit !== null && (settings[name] ?? 0) > limit;
      return isAbove
        ? [`languageModel.${name} must be at most ${limit}, the installation's limit`]
        : [];
    },
  );
  if (messages.length > 0) throw new DomainError('VALIDATION_FAILED', messages);
}

/** Returns the columns of a project that change. An omitted setting does not change. */
export function languageModelColumnsOf({
  temperature,
  reasoningEffort,
  maxOutputTokens,
  contextChunks,
  contextTokens,
}: LanguageModelSettings) {
  return {
    ...(temperature !== undefined && { chatTemperature: temperature }),
    ...(reasoningEffort !== undefined && { chatReasoningEffort: reasoningEffort }),
    ...(maxOutputTokens !== undefined && { chatMaxOutputTokens: maxOutputTokens }),
    ...(contextChunks !== undefined && { chatContextChunks: contextChunks }),
    ...(contextTokens !== undefined && { chatContextTokens: contextTokens }),
  };
}
