import type { Context } from '../context.ts';
import type { Project } from '../organizations/find-project.ts';
import { installedSettings } from '../organizations/language-model-settings.ts';

/**
 * Returns a context whose chat model has the settings of the project. The limits of the installation still apply.
 * `model` names another chat model of the same server.
 */
export function withProjectModel(
  context: Context,
  project: Project,
  model: string | null = null,
): Context {
  const { models } = context;
  const installed = installedSettings(models.chat);
  if (installed === null || models.chat.configure === undefined) return context;
  const { options, contextLimits } = installed;
  const chat = models.chat.configure({
    ...(model !== null && { model }),
    options: {
      temperature: project.chatTemperature ?? options.temperature,
      reasoningEffort: project.chatReasoningEffort ?? options.reasoningEffort,
      maxOutputTokens: lowerOf(project.chatMaxOutputTokens, options.maxOutputTokens),
    },
    contextLimits: {
      ...contextLimits,
      maxChunks: Math.min(project.chatContextChunks ?? Infinity, contextLimits.maxChunks),
      maxTokens: Math.min(project.chatContextTokens ?? Infinity, contextLimits.maxTokens),
    },
  });
  return { ...context, models: { ...models, chat } };
}

function lowerOf(value: number | null, limit: number | null): number | null {
  if (value === null || limit === null) return value ?? limit;
  return Math.min(value, limit);
}
