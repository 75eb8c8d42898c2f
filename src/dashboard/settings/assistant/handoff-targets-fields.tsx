import { Fieldset, NumberInput, SimpleGrid, Stack, Text } from '@mantine/core';
import type { FormErrors } from '@mantine/form';

interface HandoffTargets {
  readonly firstReplyMinutes: number | null;
  readonly resolutionMinutes: number | null;
}

/** The times within which the team wants to reply to handoffs and resolve them. An empty field means no target. */
export function HandoffTargetsFields({
  values,
  errors,
  isReadOnly,
  onChange,
}: {
  readonly values: HandoffTargets;
  readonly errors: FormErrors;
  readonly isReadOnly: boolean;
  readonly onChange: (name: keyof HandoffTargets, minutes: number | null) => void;
}) {
  const fieldProps = (name: keyof HandoffTargets) => ({
    min: 1,
    max: 43_200,
    allowDecimal: false,
    suffix: ' min',
    placeholder: 'No target',
    value: values[name] ?? '',
    error: errors[name],
    readOnly: isReadOnly,
    onChange: (entered: number | string) =>
      onChange(name, typeof entered === 'number' ? entered : null),
  });
  return (
    <Fieldset legend="Targets of handoffs">
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          In minutes from the request. With business hours, only these count. The inbox marks
          handoffs that are near a target or have missed it. Changes apply to new requests.
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NumberInput label="First reply within" {...fieldProps('firstReplyMinutes')} />
          <NumberInput label="Resolution within" {...fieldProps('resolutionMinutes')} />
        </SimpleGrid>
      </Stack>
    </Fieldset>
  );
}
