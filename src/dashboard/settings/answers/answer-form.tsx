import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { notifySuccess } from '../../components/error-messages.tsx';
import { showFieldErrors } from '../../components/field-errors.ts';
import { useUnsavedChanges } from '../../components/unsaved-changes.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { usePermissions } from '../../project/use-permissions.ts';
import { ConflictAlert } from '../conflict-alert.tsx';
import { updateProjectMutation } from '../project-operations.ts';
import { SaveButtons } from '../save-buttons.tsx';
import {
  type ConfidenceCurve,
  modelSettingNames,
  modelSettingsOf,
  ocrSettingsOf,
  type ProjectAnswers,
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
  project: { id, assistant, languageModel, installedLanguageModel, ocr, updatedAt },
  curve,
  onReload,
}: {
  readonly project: ProjectAnswers;
  readonly curve: ConfidenceCurve;
  /** Discards the changes and loads the saved settings. */
  readonly onReload: () => void;
}) {
  const { canManage } = usePermissions();
  const update = useNotifyingMutation(updateProjectMutation, 'The settings were not saved');
  const [loadedUpdatedAt, setLoadedUpdatedAt] = useState(updatedAt);
  const [hasConflict, setHasConflict] = useState(false);
  const form = useForm({
    initialValues: {
      confidenceThreshold: assistant.confidenceThreshold,
      languageModel: modelSettingsOf(languageModel),
      ocr: ocrSettingsOf(ocr),
    },
  });
  useUnsavedChanges(form.isDirty());

  const save = async (values: typeof form.values, ifUpdatedAt: string | null) => {
    const { confidenceThreshold, languageModel } = values;
    const languages = values.ocr.languages.filter((language) => language !== '');
    const ocr = { ...values.ocr, languages: languages.length > 0 ? languages : null };
    const saved = await update.run(
      { input: { id, assistant: { confidenceThreshold }, languageModel, ocr, ifUpdatedAt } },
      (messages, code) => {
        if (code === 'CONFLICT') setHasConflict(true);
        return showFieldErrors(form, messages, errorFields) || code === 'CONFLICT';
      },
    );
    if (saved === null) return;
    setLoadedUpdatedAt(saved.updateProject.updatedAt);
    setHasConflict(false);
    form.resetDirty(values);
    notifySuccess('Saved');
  };
  return (
    <form onSubmit={form.onSubmit((values) => save(values, loadedUpdatedAt))} noValidate>
      <Stack maw={720} gap="lg">
        <ThresholdFields
          value={form.values.confidenceThreshold}
          error={form.errors.confidenceThreshold}
          curve={curve}
          isReadOnly={!canManage}
          onChange={(value) => form.setFieldValue('confidenceThreshold', value)}
        />
        {installedLanguageModel !== null && (
          <ModelFields
            values={form.values.languageModel}
            errors={form.errors}
            installed={installedLanguageModel}
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
        {hasConflict && (
          <ConflictAlert
            isSaving={update.isRunning}
            onReload={onReload}
            onOverwrite={() => save(form.values, null)}
          />
        )}
        {canManage && (
          <SaveButtons
            isSaving={update.isRunning}
            isDirty={form.isDirty()}
            onDiscard={form.reset}
          />
        )}
      </Stack>
    </form>
  );
}
