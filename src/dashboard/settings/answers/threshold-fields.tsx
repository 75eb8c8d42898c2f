import { Fieldset, Group, NumberInput, Radio, Slider, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { formatPercent } from '../../format/format-numbers.ts';
import type { RatedConfidence } from './answer-operations.ts';
import { ThresholdEffect } from './threshold-effect.tsx';

/** The confidence threshold, and its effect on the latest answers. Null means the default threshold. */
export function ThresholdFields({
  value,
  error,
  confidence,
  isReadOnly,
  onChange,
}: {
  readonly value: number | null;
  readonly error: ReactNode;
  readonly confidence: RatedConfidence;
  readonly isReadOnly: boolean;
  readonly onChange: (value: number | null) => void;
}) {
  const { defaultThreshold } = confidence;
  const [ownValue, setOwnValue] = useState(value ?? (defaultThreshold || 0.5));
  const setPercent = (percent: number) => {
    setOwnValue(percent / 100);
    onChange(percent / 100);
  };
  const percent = Math.round(ownValue * 100);
  return (
    <Fieldset legend="Confidence threshold">
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          This number decides whether a question is answered. If the confidence that the documents
          contain the answer is below the confidence threshold, the assistant sends the fallback
          answer. A higher confidence threshold gives fewer, but better answers. “Low confidence” in
          Analytics is another, fixed mark: it counts answers below 30 %.
        </Text>
        <Radio.Group
          aria-label="Confidence threshold"
          value={value === null ? 'default' : 'own'}
          onChange={(choice) => onChange(choice === 'own' ? ownValue : null)}
        >
          <Stack gap={6}>
            <Radio
              value="default"
              disabled={isReadOnly}
              label={
                defaultThreshold === 0
                  ? 'Default: none. The language model itself decides whether it can answer'
                  : `Default: ${formatPercent(defaultThreshold)}`
              }
            />
            <Radio
              value="own"
              disabled={isReadOnly}
              label="Another confidence threshold for this project"
            />
          </Stack>
        </Radio.Group>
        {value !== null && (
          <Group align="center" wrap="wrap" gap="md">
            <Slider
              flex="1 1 12rem"
              min={0}
              max={100}
              step={5}
              value={percent}
              disabled={isReadOnly}
              label={null}
              thumbLabel="Confidence threshold in percent, slider"
              onChange={setPercent}
            />
            <NumberInput
              w={100}
              aria-label="Confidence threshold in percent"
              min={0}
              max={100}
              suffix=" %"
              allowDecimal={false}
              clampBehavior="strict"
              value={percent}
              error={error}
              disabled={isReadOnly}
              onChange={(entered) => typeof entered === 'number' && setPercent(entered)}
            />
          </Group>
        )}
        <ThresholdEffect confidence={confidence} threshold={value ?? defaultThreshold} />
      </Stack>
    </Fieldset>
  );
}
