import { Stack, Switch, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { notifySuccess } from '../../components/error-messages.tsx';
import { showFieldErrors } from '../../components/field-errors.ts';
import { useUnsavedChanges } from '../../components/unsaved-changes.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { usePermissions } from '../../project/use-permissions.ts';
import { ConflictAlert } from '../conflict-alert.tsx';
import { type ProjectAssistant, updateProjectMutation } from '../project-operations.ts';
import { SaveButtons } from '../save-buttons.tsx';
import { toBusinessHoursInput, validateBusinessHours } from './business-hours.ts';
import { BusinessHoursFields } from './business-hours-fields.tsx';
import { HandoffTargetsFields } from './handoff-targets-fields.tsx';
import { SmallTalkFields } from './small-talk-fields.tsx';
import {
  formatLength,
  type TextFieldName,
  textFieldNames,
  textFields,
  validateLength,
} from './text-fields.ts';

function textValues(
  assistant: Readonly<Record<TextFieldName, string | null>>,
): Record<TextFieldName, string> {
  const values = textFieldNames.map((name) => [name, assistant[name] ?? '']);
  return Object.fromEntries(values) as Record<TextFieldName, string>;
}

export function AssistantForm({
  project: { id, assistant, asksForSatisfaction, handoffTargets, updatedAt },
  onReload,
}: {
  readonly project: ProjectAssistant;
  /** Discards the changes and loads the saved settings. */
  readonly onReload: () => void;
}) {
  const { canManage } = usePermissions();
  const update = useNotifyingMutation(updateProjectMutation, 'The settings were not saved');
  const [loadedUpdatedAt, setLoadedUpdatedAt] = useState(updatedAt);
  const [hasConflict, setHasConflict] = useState(false);
  const form = useForm({
    initialValues: {
      ...textValues(assistant),
      asksForSatisfaction,
      humanRequest: assistant.humanRequest,
      businessHours: assistant.businessHours && toBusinessHoursInput(assistant.businessHours),
      firstReplyMinutes: handoffTargets.firstReplyMinutes,
      resolutionMinutes: handoffTargets.resolutionMinutes,
    },
    validate: {
      ...Object.fromEntries(textFieldNames.map((name) => [name, validateLength(name)])),
      businessHours: validateBusinessHours,
    },
  });
  useUnsavedChanges(form.isDirty());

  const save = async (values: typeof form.values, ifUpdatedAt: string | null) => {
    const trimmedTexts = Object.fromEntries(
      textFieldNames.map((name) => [name, values[name].trim() || null]),
    );
    const { businessHours, humanRequest, asksForSatisfaction } = values;
    const { firstReplyMinutes, resolutionMinutes } = values;
    const settings = { ...trimmedTexts, businessHours, humanRequest };
    const targets = { firstReplyMinutes, resolutionMinutes };
    const saved = await update.run(
      {
        input: {
          id,
          assistant: settings,
          asksForSatisfaction,
          handoffTargets: targets,
          ifUpdatedAt,
        },
      },
      (messages, code) => {
        if (code === 'CONFLICT') setHasConflict(true);
        const fields = {
          'assistant.businessHours.timeZone': 'businessHours',
          'assistant.businessHours.weekly': 'businessHours',
          ...Object.fromEntries(textFieldNames.map((name) => [`assistant.${name}`, name])),
          ...Object.fromEntries(
            Object.keys(targets).map((name) => [`handoffTargets.${name}`, name]),
          ),
        };
        return showFieldErrors(form, messages, fields) || code === 'CONFLICT';
      },
    );
    if (saved === null) return;
    setLoadedUpdatedAt(saved.updateProject.updatedAt);
    setHasConflict(false);
    form.resetDirty(values);
    notifySuccess('Saved');
  };
  const textFieldProps = (name: TextFieldName) => ({
    label: textFields[name].label,
    description:
      textFields[name].description + formatLength(form.values[name], textFields[name].max),
    autosize: true,
    minRows: name === 'instructions' ? 4 : 2,
    maxRows: 16,
    readOnly: !canManage,
    ...form.getInputProps(name),
  });
  return (
    <form onSubmit={form.onSubmit((values) => save(values, loadedUpdatedAt))} noValidate>
      <Stack maw={720} gap="lg">
        <Textarea {...textFieldProps('instructions')} />
        <Textarea {...textFieldProps('fallbackText')} />
        <Textarea {...textFieldProps('holdingText')} />
        <BusinessHoursFields
          value={form.values.businessHours}
          error={form.errors.businessHours}
          isReadOnly={!canManage}
          onChange={(hours) => form.setFieldValue('businessHours', hours)}
        />
        {form.values.businessHours !== null && <Textarea {...textFieldProps('outOfHoursText')} />}
        <HandoffTargetsFields
          values={form.values}
          errors={form.errors}
          isReadOnly={!canManage}
          onChange={(name, minutes) => form.setFieldValue(name, minutes)}
        />
        <Switch
          label="Ask end users how satisfied they were with the agent"
          description="After an agent has resolved a handoff, the widget asks for a rating of 1 to 5 and a comment."
          disabled={!canManage}
          {...form.getInputProps('asksForSatisfaction', { type: 'checkbox' })}
        />
        <SmallTalkFields
          textFieldProps={textFieldProps}
          humanRequest={form.values.humanRequest}
          isReadOnly={!canManage}
          onHumanRequestChange={(value) => form.setFieldValue('humanRequest', value)}
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
