import { useForm } from '@mantine/form';
import { usePermissions } from '../../project/use-permissions.ts';
import { ProjectForm } from '../project-form.tsx';
import {
  modelSettingNames,
  modelSettingsOf,
  ocrSettingsOf,
  type ProjectAnswers,
  type RatedConfidence,
} from './answer-operations.ts';
import { ModelFields } from './model-fields.tsx';
import { OcrFields } from './ocr-fields.tsx';
import { ThresholdFields } from './threshold-fields.tsx';

/** Fields of the form, by the names that the service uses. */
const errorFields = {
  'assistant.confidenceThreshold': 'confidenceThreshold',
  'ocr.maxPages': 'ocr.maxPages',
  'ocr.languages': 'ocr.languages',
  ...Object.fromEntries(
    modelSettingNames.map((name) => [`languageModel.${name}`, `languageModel.${name}`]),
  ),
};

export function AnswerForm({
  project,
  confidence,
  onReload,
}: {
  readonly project: ProjectAnswers;
  readonly confidence: RatedConfidence;
  /** Discards the changes and loads the saved settings. */
  readonly onReload: () => void;
}) {
  const { canManage } = usePermissions();
  const form = useForm({ initialValues: valuesOf(project) });
  return (
    <ProjectForm {...{ project, form, inputOf, errorFields, onReload }}>
      <ThresholdFields
        value={form.values.confidenceThreshold}
        error={form.errors.confidenceThreshold}
        confidence={confidence}
        isReadOnly={!canManage}
        onChange={(value) => form.setFieldValue('confidenceThreshold', value)}
      />
      {project.installedLanguageModel !== null && (
        <ModelFields
          values={form.values.languageModel}
          errors={form.errors}
          installed={project.installedLanguageModel}
          isReadOnly={!canManage}
          onChange={(change) =>
            form.setFieldValue('languageModel', { ...form.values.languageModel, ...change })
          }
        />
      )}
      <OcrFields
        values={form.values.ocr}
        errors={form.errors}
        isReadOnly={!canManage}
        onChange={(change) => form.setFieldValue('ocr', { ...form.values.ocr, ...change })}
      />
    </ProjectForm>
  );
}

function valuesOf({ assistant, languageModel, ocr }: ProjectAnswers) {
  return {
    confidenceThreshold: assistant.confidenceThreshold,
    languageModel: modelSettingsOf(languageModel),
    ocr: ocrSettingsOf(ocr),
  };
}

function inputOf({ confidenceThreshold, languageModel, ocr }: ReturnType<typeof valuesOf>) {
  const languages = ocr.languages.filter((language) => language !== '');
  return {
    assistant: { confidenceThreshold },
    languageModel,
    ocr: { ...ocr, languages: languages.length > 0 ? languages : null },
  };
}
