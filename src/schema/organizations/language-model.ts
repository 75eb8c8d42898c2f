import { z } from 'zod';
import {
  installedSettings,
  type LanguageModelSettings as Settings,
} from '../../domain/organizations/language-model-settings.ts';
import type { ChatModel } from '../../models/models.ts';
import { builder } from '../builder.ts';
import { fieldsSchema, optionalInteger, optionalNumber } from '../input-rules.ts';

const descriptions = {
  temperature: 'Randomness of the answers, 0 to 2.',
  reasoningEffort: '`reasoning_effort` as the model knows it, such as `low`.',
  maxOutputTokens: 'Maximum tokens of an answer, reasoning included.',
  contextChunks: 'Maximum number of chunks that the model receives.',
  contextTokens: 'Maximum estimated tokens of these chunks together.',
};

export const LanguageModelSettings = builder
  .objectRef<Required<Settings>>('LanguageModelSettings')
  .implement({
    description:
      "A project's settings of the language model. Null means the value of the installation.",
    fields: (t) => ({
      temperature: t.exposeFloat('temperature', {
        nullable: true,
        description: descriptions.temperature,
      }),
      reasoningEffort: t.exposeString('reasoningEffort', {
        nullable: true,
        description: descriptions.reasoningEffort,
      }),
      maxOutputTokens: t.exposeInt('maxOutputTokens', {
        nullable: true,
        description: descriptions.maxOutputTokens,
      }),
      contextChunks: t.exposeInt('contextChunks', {
        nullable: true,
        description: descriptions.contextChunks,
      }),
      contextTokens: t.exposeInt('contextTokens', {
        nullable: true,
        description: descriptions.contextTokens,
      }),
    }),
  });

/** Columns of the project that contain the settings. */
export const languageModelColumns = {
  chatTemperature: true,
  chatReasoningEffort: true,
  chatMaxOutputTokens: true,
  chatContextChunks: true,
  chatContextTokens: true,
} as const;

export const InstalledLanguageModel = builder
  .objectRef<InstalledModel>('InstalledLanguageModel')
  .implement({
    description:
      'The language model of the installation and its settings, which apply to projects without their own.',
    fields: (t) => ({
      name: t.exposeString('name', { description: 'Name by which the model server knows it.' }),
      temperature: t.exposeFloat('temperature', {
        nullable: true,
        description: `${descriptions.temperature} Null: the model server decides.`,
      }),
      reasoningEffort: t.exposeString('reasoningEffort', {
        nullable: true,
        description: `${descriptions.reasoningEffort} Null: the model server decides.`,
      }),
      maxOutputTokens: t.exposeInt('maxOutputTokens', {
        nullable: true,
        description: `${descriptions.maxOutputTokens} A project cannot exceed it. Null: no limit.`,
      }),
      contextChunks: t.exposeInt('contextChunks', {
        description: `${descriptions.contextChunks} A project cannot exceed it.`,
      }),
      contextTokens: t.exposeInt('contextTokens', {
        description: `${descriptions.contextTokens} A project cannot exceed it.`,
      }),
    }),
  });

interface InstalledModel extends Required<Settings> {
  readonly name: string;
  readonly temperature: number | null;
  readonly reasoningEffort: string | null;
  readonly maxOutputTokens: number | null;
  readonly contextChunks: number;
  readonly contextTokens: number;
}

/** Returns null if the installation has no language model. */
export function installedModelOf(model: ChatModel): InstalledModel | null {
  const installed = installedSettings(model);
  if (installed === null) return null;
  const { options, contextLimits } = installed;
  return {
    name: model.name,
    ...options,
    contextChunks: contextLimits.maxChunks,
    contextTokens: contextLimits.maxTokens,
  };
}

export const LanguageModelSettingsInput = builder.inputType('LanguageModelSettingsInput', {
  description:
    'Changes to the settings of the language model. Omitted fields stay unchanged; null restores the value of the installation. Stored, but without effect, while the installation has no language model.',
  fields: (t) => ({
    temperature: t.float({ description: descriptions.temperature }),
    reasoningEffort: t.string({
      description: `${descriptions.reasoningEffort} 1 to 20 letters from a to z.`,
    }),
    maxOutputTokens: t.int({
      description: `${descriptions.maxOutputTokens} From 16 to the limit of the installation.`,
    }),
    contextChunks: t.int({
      description: `${descriptions.contextChunks} From 1 to the limit of the installation.`,
    }),
    contextTokens: t.int({
      description: `${descriptions.contextTokens} From 200 to the limit of the installation.`,
    }),
  }),
});

export const languageModelSchema = fieldsSchema({
  temperature: optionalNumber(0, 2),
  reasoningEffort: z
    .string()
    .regex(/^[a-z]{1,20}$/, 'must be 1 to 20 letters from a to z, such as low')
    .nullish(),
  maxOutputTokens: optionalInteger(16, 1_000_000),
  contextChunks: optionalInteger(1, 50),
  contextTokens: optionalInteger(200, 1_000_000),
});
