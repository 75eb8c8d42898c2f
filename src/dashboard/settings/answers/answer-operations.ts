import type { ResultOf } from 'gql.tada';
import { graphql } from '../../graphql/graphql.ts';

/** What decides about the answers of a project: its threshold, its settings of the language model, and that model. */
export const answerModelFields = graphql(`
  fragment AnswerModelFields on Project @_unmask {
    assistant {
      confidenceThreshold
    }
    languageModel {
      temperature
      reasoningEffort
      maxOutputTokens
      contextChunks
      contextTokens
    }
    installedLanguageModel {
      name
      temperature
      reasoningEffort
      maxOutputTokens
      contextChunks
      contextTokens
    }
  }
`);

export const answerSettingsQuery = graphql(
  `
  query AnswerSettings($projectId: ID!) {
    project(id: $projectId) {
      id
      updatedAt
      ...AnswerModelFields
      ocr {
        mode
        languages
        maxPages
      }
    }
    projectConfidence(projectId: $projectId, basis: RATINGS) {
      defaultThreshold
      answers
      current {
        questions
      }
      curve {
        threshold
        answers
        wrong
        questionsRefused
      }
    }
  }
`,
  [answerModelFields],
);

type AnswerSettings = ResultOf<typeof answerSettingsQuery>;

export type ProjectAnswers = NonNullable<AnswerSettings['project']>;

export interface ModelSettings {
  readonly temperature: number | null;
  readonly reasoningEffort: string | null;
  readonly maxOutputTokens: number | null;
  readonly contextChunks: number | null;
  readonly contextTokens: number | null;
}

export const modelSettingNames = [
  'temperature',
  'reasoningEffort',
  'maxOutputTokens',
  'contextChunks',
  'contextTokens',
] as const satisfies (keyof ModelSettings)[];

/**
 * Returns the settings without `__typename`. The GraphQL client adds this field, but the service does not accept it as
 * input.
 */
export function modelSettingsOf(loaded: ProjectAnswers['languageModel']): ModelSettings {
  const { temperature, reasoningEffort, maxOutputTokens, contextChunks, contextTokens } = loaded;
  return { temperature, reasoningEffort, maxOutputTokens, contextChunks, contextTokens };
}

export interface OcrSettings {
  readonly mode: 'OFF' | 'ON' | 'AUTO';
  readonly languages: readonly string[];
  /** Null restores the default. */
  readonly maxPages: number | null;
}

/** Returns the settings without `__typename`. */
export function ocrSettingsOf({ mode, languages, maxPages }: ProjectAnswers['ocr']): OcrSettings {
  return { mode, languages, maxPages };
}

export function ocrModeOf(value: string): OcrSettings['mode'] {
  return value === 'ON' || value === 'OFF' ? value : 'AUTO';
}

export type InstalledModel = NonNullable<ProjectAnswers['installedLanguageModel']>;

/** Effect of the confidence threshold, measured on the answers that end users rated. */
export type RatedConfidence = AnswerSettings['projectConfidence'];

export type ThresholdPoint = RatedConfidence['curve'][number];
