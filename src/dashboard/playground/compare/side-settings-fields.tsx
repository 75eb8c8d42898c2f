import { Box, Fieldset, NumberInput, Text } from '@mantine/core';
import { hintBelow } from '../../components/send-key.ts';
import { formatPercent } from '../../format/format-numbers.ts';
import { modelSettingsOf } from '../../settings/answers/answer-operations.ts';
import { ModelFields } from '../../settings/answers/model-fields.tsx';
import type { ComparedProject } from './compare-settings-query.ts';
import type { SideSettings } from './comparison.ts';

/** The settings of one side of a comparison. They start as those of the project. */
export function SideSettingsFields({
  name,
  settings: { confidenceThreshold, languageModel },
  project,
  onChange,
}: {
  /** A or B. */
  readonly name: string;
  readonly settings: SideSettings;
  readonly project: ComparedProject;
  readonly onChange: (change: Partial<SideSettings>) => void;
}) {
  const { installedLanguageModel: installed } = project;
  const own = project.assistant.confidenceThreshold;
  const modelValues = languageModel ?? modelSettingsOf(project.languageModel);
  return (
    <Fieldset legend={`Settings ${name}`}>
      <NumberInput
        label="Confidence threshold in percent"
        description={
          own === null
            ? 'Empty: the default of the model.'
            : `Empty: that of the project, ${formatPercent(own)}.`
        }
        inputWrapperOrder={hintBelow}
        min={0}
        max={100}
        suffix=" %"
        allowDecimal={false}
        clampBehavior="strict"
        value={confidenceThreshold === null ? '' : Math.round(confidenceThreshold * 100)}
        onChange={(entered) =>
          onChange({ confidenceThreshold: typeof entered === 'number' ? entered / 100 : null })
        }
      />
      {installed !== null && (
        <Box component="details" mt="sm">
          <Text
            component="summary"
            size="sm"
            c="dimmed"
            w="fit-content"
            mb="xs"
            style={{ cursor: 'pointer' }}
          >
            Language model
          </Text>
          <ModelFields
            values={modelValues}
            errors={{}}
            installed={installed}
            isReadOnly={false}
            onChange={(change) => onChange({ languageModel: { ...modelValues, ...change } })}
          />
        </Box>
      )}
    </Fieldset>
  );
}
