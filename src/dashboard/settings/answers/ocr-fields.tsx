import {
  Fieldset,
  NativeSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import type { FormErrors } from '@mantine/form';
import { type OcrSettings, ocrModeOf } from './answer-operations.ts';

const modes = [
  { value: 'AUTO', label: 'Images, and PDF pages without text' },
  { value: 'ON', label: 'Also pictures on PDF pages with text' },
  { value: 'OFF', label: 'Off' },
];

/** Settings that determine how images and scanned documents are read. */
export function OcrFields({
  values,
  errors,
  isReadOnly,
  onChange,
}: {
  readonly values: OcrSettings;
  readonly errors: FormErrors;
  readonly isReadOnly: boolean;
  readonly onChange: (change: Partial<OcrSettings>) => void;
}) {
  return (
    <Fieldset legend="Images and scans">
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          Text recognition (OCR) reads them. Changes apply to documents that are read from now on.
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NativeSelect
            label="Read by OCR"
            description="Of each document."
            data={modes}
            value={values.mode}
            disabled={isReadOnly}
            onChange={(event) => onChange({ mode: ocrModeOf(event.currentTarget.value) })}
          />
          <NumberInput
            label="Pages"
            description="How many pages of a file OCR reads. At most 200."
            min={1}
            max={200}
            allowDecimal={false}
            value={values.maxPages ?? ''}
            error={errors['ocr.maxPages']}
            readOnly={isReadOnly}
            onChange={(entered) =>
              onChange({ maxPages: typeof entered === 'number' ? entered : null })
            }
          />
          <TextInput
            label="Languages"
            description="Such as eng or deu, separated by spaces. Their data must be installed."
            value={values.languages.join(' ')}
            error={errors['ocr.languages']}
            readOnly={isReadOnly}
            maxLength={100}
            onChange={(event) => onChange({ languages: event.currentTarget.value.split(/[\s,+]/) })}
          />
        </SimpleGrid>
      </Stack>
    </Fieldset>
  );
}
