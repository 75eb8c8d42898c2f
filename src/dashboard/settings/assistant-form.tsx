import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { notifySuccess } from '../shell/failure.tsx';
import { fieldErrors } from '../shell/field-errors.ts';
import { usePermissions } from '../shell/permissions.ts';
import { useUnsavedChanges } from '../shell/unsaved-changes.tsx';
import { useAction } from '../shell/use-action.ts';
import { BusinessHoursFields } from './business-hours-fields.tsx';
import { givenHours, hoursProblem } from './opening-hours.ts';
import { type AssistantOfProject, updateProjectMutation } from './project-operations.ts';

const texts = {
  instructions: {
    label: 'Instructions',
    description: 'Tone and rules for the assistant, such as whom it speaks for.',
    max: 8_000,
  },
  fallbackText: {
    label: 'When the answer is not in the documents',
    description: 'Empty: the service says it in its own words.',
    max: 2_000,
  },
  holdingText: {
    label: 'While somebody of the team has the conversation',
    description: 'Told once, as soon as the end user writes. Empty: words of the service.',
    max: 2_000,
  },
  outOfHoursText: {
    label: 'Outside of the business hours',
    description: 'Told in its place while nobody is there. Empty: words of the service.',
    max: 2_000,
  },
} as const;

type TextName = keyof typeof texts;
const names = Object.keys(texts) as TextName[];
/** Characters as the service counts them. */
const lengthOf = (text: string) => [...text.normalize('NFC')].length;
const tooLong = (name: TextName) => (text: string) =>
  lengthOf(text) > texts[name].max ? `At most ${texts[name].max} characters` : null;

/** Where it matters. */
function sayLength(text: string, max: number): string {
  const length = lengthOf(text);
  return length > 0.8 * max ? ` ${length} of ${max} characters.` : '';
}

export function AssistantForm({
  project: { id, assistant, updatedAt },
  onReload,
}: {
  readonly project: AssistantOfProject;
  /** Begins anew with what is stored. */
  readonly onReload: () => void;
}) {
  const { canManage } = usePermissions();
  const update = useAction(updateProjectMutation, 'The settings were not saved');
  const [version, setVersion] = useState(updatedAt);
  const [isOutdated, setIsOutdated] = useState(false);
  const form = useForm({
    initialValues: {
      instructions: assistant.instructions ?? '',
      fallbackText: assistant.fallbackText ?? '',
      holdingText: assistant.holdingText ?? '',
      outOfHoursText: assistant.outOfHoursText ?? '',
      businessHours: assistant.businessHours && givenHours(assistant.businessHours),
    },
    validate: {
      ...Object.fromEntries(names.map((name) => [name, tooLong(name)])),
      businessHours: hoursProblem,
    },
  });
  useUnsavedChanges(form.isDirty());

  const save = async (values: typeof form.values, ifUpdatedAt: string | null) => {
    const given = Object.fromEntries(names.map((name) => [name, values[name].trim() || null]));
    const settings = { ...given, businessHours: values.businessHours };
    const saved = await update.run(
      { input: { id, assistant: settings, ifUpdatedAt } },
      (messages, code) => {
        if (code === 'CONFLICT') setIsOutdated(true);
        const fields = Object.fromEntries(names.map((name) => [`assistant.${name}`, name]));
        const errors = fieldErrors(messages, fields);
        if (errors !== null) form.setErrors(errors);
        return errors !== null || code === 'CONFLICT';
      },
    );
    if (saved === null) return;
    setVersion(saved.updateProject.updatedAt);
    setIsOutdated(false);
    form.resetDirty(values);
    notifySuccess('Saved');
  };
  const text = (name: TextName) => ({
    label: texts[name].label,
    description: texts[name].description + sayLength(form.values[name], texts[name].max),
    autosize: true,
    minRows: name === 'instructions' ? 4 : 2,
    maxRows: 16,
    readOnly: !canManage,
    ...form.getInputProps(name),
  });
  return (
    <form onSubmit={form.onSubmit((values) => save(values, version))} noValidate>
      <Stack maw={720} gap="lg">
        <Textarea {...text('instructions')} />
        <Textarea {...text('fallbackText')} />
        <Textarea {...text('holdingText')} />
        <BusinessHoursFields
          value={form.values.businessHours}
          error={form.errors.businessHours}
          isReadOnly={!canManage}
          onChange={(hours) => form.setFieldValue('businessHours', hours)}
        />
        {form.values.businessHours !== null && <Textarea {...text('outOfHoursText')} />}
        {isOutdated && (
          <Alert color="yellow" role="alert" title="Somebody else has changed this project">
            <Text size="sm" mb="xs">
              It was changed after you opened it. What you wrote is still here, but not saved.
            </Text>
            <Group gap="xs">
              <Button size="xs" variant="default" onClick={onReload}>
                Load what is stored
              </Button>
              <Button
                size="xs"
                color="red"
                variant="light"
                loading={update.isRunning}
                onClick={() => save(form.values, null)}
              >
                Save mine over it
              </Button>
            </Group>
          </Alert>
        )}
        {canManage && (
          <Group>
            <Button type="submit" loading={update.isRunning} disabled={!form.isDirty()}>
              Save
            </Button>
            {form.isDirty() && (
              <>
                <Button variant="default" onClick={form.reset}>
                  Undo
                </Button>
                <Text size="sm" c="dimmed">
                  Not saved yet
                </Text>
              </>
            )}
          </Group>
        )}
      </Stack>
    </form>
  );
}
