import { Fieldset, NumberInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import type { FormErrors } from '@mantine/form';
import type { InstalledModel, ModelSettings } from './answer-operations.ts';

/** Settings of the language model. If a field is empty, the setting of the installation applies. */
export function ModelFields({
  values,
  errors,
  installed,
  isReadOnly,
  onChange,
}: {
  readonly values: ModelSettings;
  readonly errors: FormErrors;
  readonly installed: InstalledModel;
  readonly isReadOnly: boolean;
  readonly onChange: (change: Partial<ModelSettings>) => void;
}) {
  const numberProps = (name: Exclude<keyof ModelSettings, 'reasoningEffort'>) => ({
    value: values[name] ?? '',
    error: errors[`languageModel.${name}`],
    readOnly: isReadOnly,
    placeholder: formatDefault(installed[name]),
    onChange: (entered: number | string) =>
      onChange({ [name]: typeof entered === 'number' ? entered : null }),
  });
  const maximum = (name: 'maxOutputTokens' | 'contextChunks' | 'contextTokens') =>
    installed[name] === null ? '' : ` At most ${installed[name]}.`;
  return (
    <Fieldset legend="Language model">
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {installed.name} writes the answers. An empty field means the setting of this
          installation.
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NumberInput
            label="Temperature"
            description="Low values give steadier answers. High values vary the wording."
            min={0}
            max={2}
            step={0.1}
            decimalScale={3}
            {...numberProps('temperature')}
          />
          <TextInput
            label="Reasoning effort"
            description="Such as low, medium or high. More effort takes longer and costs more."
            value={values.reasoningEffort ?? ''}
            error={errors['languageModel.reasoningEffort']}
            readOnly={isReadOnly}
            placeholder={formatDefault(installed.reasoningEffort)}
            maxLength={20}
            onChange={(event) => onChange({ reasoningEffort: event.currentTarget.value || null })}
          />
          <NumberInput
            label="Maximum output tokens"
            description={`A longer answer is cut off. Reasoning counts, too.${maximum('maxOutputTokens')}`}
            min={16}
            allowDecimal={false}
            {...numberProps('maxOutputTokens')}
          />
          <NumberInput
            label="Passages"
            description={`How many passages the model reads for an answer.${maximum('contextChunks')}`}
            min={1}
            allowDecimal={false}
            {...numberProps('contextChunks')}
          />
          <NumberInput
            label="Context budget in tokens"
            description={`Of all these passages together. Less is faster and cheaper.${maximum('contextTokens')}`}
            min={200}
            step={100}
            allowDecimal={false}
            {...numberProps('contextTokens')}
          />
        </SimpleGrid>
      </Stack>
    </Fieldset>
  );
}

const formatDefault = (value: number | string | null) =>
  value === null ? 'Not set' : `${value} (installation)`;
