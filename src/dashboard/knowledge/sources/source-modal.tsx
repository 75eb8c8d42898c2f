import {
  Button,
  Checkbox,
  Group,
  Modal,
  NumberInput,
  Select,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { fieldErrors } from '../../components/field-errors.ts';
import { describeSchedule, schedules } from './schedules.ts';
import type { Source } from './source-operations.ts';

interface SourceSettings {
  readonly name: string;
  /** Cron expression, or '' for none. */
  readonly schedule: string;
  readonly config: {
    readonly startUrls: string[];
    readonly include: string[];
    readonly exclude: string[];
    readonly maxPages: number;
    readonly respectRobots: boolean;
  };
}

const defaultMaxPages = 1_000;

/**
 * The form of a website.
 *
 * @param onSave Saves the source and resolves to whether that succeeded. Must pass error messages to `handleError`,
 *   which returns whether the form shows them next to its fields.
 */
export function SourceModal({
  opened,
  onClose,
  source,
  isSaving,
  onSave,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Null for a new source. */
  readonly source: Source | null;
  readonly isSaving: boolean;
  readonly onSave: (
    settings: SourceSettings,
    handleError: (messages: readonly string[]) => boolean,
  ) => Promise<boolean>;
}) {
  const form = useForm({
    initialValues: {
      name: source?.name ?? '',
      startUrls: joinLines(source?.config.startUrls),
      include: joinLines(source?.config.include),
      exclude: joinLines(source?.config.exclude),
      schedule: source?.schedule ?? '',
      maxPages: source?.config.maxPages ?? defaultMaxPages,
      respectRobots: source?.config.respectRobots ?? true,
    },
    validate: {
      startUrls: (text) =>
        splitLines(text).length > 0 && splitLines(text).every((url) => URL.canParse(url))
          ? null
          : 'Enter addresses that start with https://, one per line',
    },
  });
  const close = () => {
    form.reset();
    onClose();
  };
  const submit = form.onSubmit(async ({ name, schedule, startUrls, ...settings }) => {
    const urls = splitLines(startUrls);
    const isSaved = await onSave(
      {
        name: name.trim() || new URL(urls[0] ?? '').host,
        schedule,
        config: {
          startUrls: urls,
          include: splitLines(settings.include),
          exclude: splitLines(settings.exclude),
          maxPages: settings.maxPages,
          respectRobots: settings.respectRobots,
        },
      },
      (messages) => {
        const errors = fieldErrors(messages, formFields);
        if (errors !== null) form.setErrors(errors);
        return errors !== null;
      },
    );
    if (isSaved) close();
  });
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={source === null ? 'Add a website' : 'Edit the source'}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <Textarea
            label="Start addresses"
            description="One per line. Linked pages of the same hosts are read, too."
            placeholder="https://example.com/help/"
            autosize
            minRows={2}
            maxRows={6}
            withAsterisk
            data-autofocus
            {...form.getInputProps('startUrls')}
          />
          <TextInput
            label="Name"
            description="Default: the host of the first address."
            {...form.getInputProps('name')}
          />
          <Select
            label="Read again"
            data={scheduleChoices(source?.schedule ?? '')}
            allowDeselect={false}
            {...form.getInputProps('schedule')}
          />
          <Textarea
            label="Only these pages"
            description="Paths such as /help/*, one per line. Empty: all pages."
            autosize
            maxRows={6}
            {...form.getInputProps('include')}
          />
          <Textarea
            label="Not these pages"
            description="Paths such as /help/old/*, one per line."
            autosize
            maxRows={6}
            {...form.getInputProps('exclude')}
          />
          <NumberInput
            label="Pages at most"
            min={1}
            max={10_000}
            allowDecimal={false}
            clampBehavior="strict"
            {...form.getInputProps('maxPages')}
          />
          <Checkbox
            label="Respect robots.txt"
            description="Turn it off only for your own website."
            {...form.getInputProps('respectRobots', { type: 'checkbox' })}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={isSaving}>
              {source === null ? 'Add and read' : 'Save'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** Fields of the form by their names in the service's error messages. */
const formFields = {
  name: 'name',
  schedule: 'schedule',
  'config.startUrls': 'startUrls',
  'config.include': 'include',
  'config.exclude': 'exclude',
  'config.maxPages': 'maxPages',
};

/** Returns the schedules to choose from, with the current one, which may have been set through the API. */
function scheduleChoices(current: string) {
  return schedules.some(({ value }) => value === current)
    ? [...schedules]
    : [...schedules, { value: current, label: describeSchedule(current) }];
}

function joinLines(lines: readonly string[] | null = []): string {
  return (lines ?? []).join('\n');
}

function splitLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
