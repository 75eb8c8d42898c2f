import { Checkbox, Modal, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { showFieldErrors } from '../../components/field-errors.ts';
import { ModalForm } from '../../components/modal-form.tsx';
import type { Saving } from '../../project/use-notifying-mutation.ts';
import { describeSchedule, schedules } from './schedules.ts';
import { SourceFieldInput } from './source-field-input.tsx';
import {
  configOf,
  findFieldProblem,
  formValuesOf,
  type SourceFormValue,
  type SourceKind,
  sourceKinds,
  splitLines,
} from './source-fields.ts';

import type { Source } from './source-operations.ts';

interface SourceSettings {
  readonly name: string;
  /** Cron expression, or '' for no schedule. */
  readonly schedule: string;
  readonly confirmsRemovals: boolean;
  readonly config: ReturnType<typeof configOf>;
}

interface ModalProps {
  readonly onClose: () => void;
  /** The source to change. Null for a new source. */
  readonly source: Source | null;
  readonly saving: Saving;
  /**
   * Saves the source. Resolves to true if that succeeded. Must pass error messages to `handleError`, which returns
   * whether the form shows them next to its fields.
   */
  readonly onSave: (
    kind: SourceKind,
    settings: SourceSettings,
    handleError: (messages: readonly string[]) => boolean,
  ) => Promise<boolean>;
}

/** The form of a source. */
export function SourceModal({ opened, ...props }: ModalProps & { readonly opened: boolean }) {
  const title = props.source === null ? 'Add a source' : 'Edit the source';
  return (
    <Modal opened={opened} onClose={props.onClose} title={title}>
      <SourceForm {...props} />
    </Modal>
  );
}

interface FormValues extends Record<string, SourceFormValue> {
  kind: SourceKind;
  name: string;
  schedule: string;
  confirmsRemovals: boolean;
}

const kinds = Object.keys(sourceKinds) as SourceKind[];

function SourceForm({ onClose, source, saving, onSave }: ModalProps) {
  const form = useForm<FormValues>({
    initialValues: {
      ...Object.assign({}, ...kinds.map((kind) => formValuesOf(kind))),
      ...(source !== null && formValuesOf(source.kind, source.config)),
      kind: source?.kind ?? 'WEBSITE',
      name: source?.name ?? '',
      schedule: source?.schedule ?? '',
      confirmsRemovals: source?.confirmsRemovals ?? true,
    },
    validate: (values) =>
      Object.fromEntries(
        sourceKinds[values.kind].fields.map((field) => [
          field.name,
          findFieldProblem(field, values[field.name]),
        ]),
      ),
  });
  const { kind } = form.values;
  const { fields } = sourceKinds[kind];
  const submit = form.onSubmit(async (values) => {
    const settings = {
      name: values.name.trim() || defaultName(values),
      schedule: values.schedule,
      confirmsRemovals: values.confirmsRemovals,
      config: configOf(kind, values),
    };
    const isSaved = await onSave(kind, settings, (messages) => {
      const names = fields.map(({ name }) => [`config.${name}`, name] as const);
      const formFields = { name: 'name', schedule: 'schedule', ...Object.fromEntries(names) };
      return showFieldErrors(form, messages, formFields);
    });
    if (isSaved) onClose();
  });
  const [first, ...others] = fields;
  const inputOf = (field: (typeof fields)[number]) => (
    <SourceFieldInput
      key={field.name}
      field={field}
      hasSecret={source?.config.hasSecret === true}
      inputProps={form.getInputProps(field.name, {
        type: field.input === 'check' ? 'checkbox' : 'input',
      })}
    />
  );
  return (
    <ModalForm
      onSubmit={submit}
      submitLabel={source === null ? 'Add and read' : 'Save'}
      saving={saving}
      onCancel={onClose}
    >
      {source === null && (
        <SegmentedControl
          aria-label="Kind"
          data={kinds.map((value) => ({ value, label: sourceKinds[value].label }))}
          {...form.getInputProps('kind')}
        />
      )}
      {first && inputOf(first)}
      <TextInput label="Name" description="Default: the host." {...form.getInputProps('name')} />
      <Select
        label="Read again"
        data={scheduleChoices(source?.schedule ?? '')}
        allowDeselect={false}
        {...form.getInputProps('schedule')}
      />
      {others.map(inputOf)}
      <Checkbox
        label="Ask before a large deletion"
        description="A run that would delete more than a third of the documents, and more than five, keeps them until you confirm."
        {...form.getInputProps('confirmsRemovals', { type: 'checkbox' })}
      />
    </ModalForm>
  );
}

/** Returns the host of the website or repository, the bucket, or the name of the service. */
function defaultName({ kind, startUrls, url, bucket }: FormValues): string {
  if (kind === 'S3') return String(bucket);
  if (kind === 'NOTION') return sourceKinds.NOTION.label;
  return new URL(kind === 'GIT' ? String(url) : (splitLines(String(startUrls))[0] ?? '')).host;
}

/**
 * Returns the schedules to choose from. Includes the current schedule, which may be a different one if it was set
 * through the API.
 */
function scheduleChoices(current: string) {
  return schedules.some(({ value }) => value === current)
    ? [...schedules]
    : [...schedules, { value: current, label: describeSchedule(current) }];
}
