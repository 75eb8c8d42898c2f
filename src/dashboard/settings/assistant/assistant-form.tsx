import { Switch, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { usePermissions } from '../../project/use-permissions.ts';
import { ProjectForm } from '../project-form.tsx';
import type { ProjectAssistant } from '../project-operations.ts';
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

/** Fields of the form, by the names that the service uses. */
const errorFields = {
  'assistant.businessHours.timeZone': 'businessHours',
  'assistant.businessHours.weekly': 'businessHours',
  ...Object.fromEntries(textFieldNames.map((name) => [`assistant.${name}`, name])),
  'handoffTargets.firstReplyMinutes': 'firstReplyMinutes',
  'handoffTargets.resolutionMinutes': 'resolutionMinutes',
};

export function AssistantForm({
  project,
  onReload,
}: {
  readonly project: ProjectAssistant;
  /** Discards the changes and loads the saved settings. */
  readonly onReload: () => void;
}) {
  const { canManage } = usePermissions();
  const form = useForm({
    initialValues: valuesOf(project),
    validate: {
      ...Object.fromEntries(textFieldNames.map((name) => [name, validateLength(name)])),
      businessHours: validateBusinessHours,
    },
  });
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
    <ProjectForm {...{ project, form, inputOf, errorFields, onReload }}>
      <Textarea {...textFieldProps('instructions')} />
      {project.installedLanguageModel === null && (
        <Text size="sm" c="dimmed" mt="calc(-1 * var(--mantine-spacing-xs))">
          Without effect now: the built-in model quotes and ignores instructions.
        </Text>
      )}
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
    </ProjectForm>
  );
}

function valuesOf({ assistant, asksForSatisfaction, handoffTargets }: ProjectAssistant) {
  const { firstReplyMinutes, resolutionMinutes } = handoffTargets;
  return {
    ...textValues(assistant),
    asksForSatisfaction,
    humanRequest: assistant.humanRequest,
    businessHours: assistant.businessHours && toBusinessHoursInput(assistant.businessHours),
    ...{ firstReplyMinutes, resolutionMinutes },
  };
}

function inputOf(values: ReturnType<typeof valuesOf>) {
  const texts = textFieldNames.map((name) => [name, values[name].trim() || null]);
  const { businessHours, humanRequest, asksForSatisfaction } = values;
  const { firstReplyMinutes, resolutionMinutes } = values;
  return {
    assistant: { ...Object.fromEntries(texts), businessHours, humanRequest },
    asksForSatisfaction,
    handoffTargets: { firstReplyMinutes, resolutionMinutes },
  };
}

function textValues(
  assistant: Readonly<Record<TextFieldName, string | null>>,
): Record<TextFieldName, string> {
  const values = textFieldNames.map((name) => [name, assistant[name] ?? '']);
  return Object.fromEntries(values) as Record<TextFieldName, string>;
}
