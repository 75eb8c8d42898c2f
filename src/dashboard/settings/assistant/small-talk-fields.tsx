import { Accordion, Radio, Stack, Text, Textarea, type TextareaProps } from '@mantine/core';
import { useState } from 'react';
import type { ProjectAssistant } from '../project-operations.ts';
import { smallTalkFieldNames, type TextFieldName } from './text-fields.ts';

const itemName = 'small-talk';

type HumanRequest = ProjectAssistant['assistant']['humanRequest'];

/**
 * The replies to messages that are not questions. The section is collapsed at first. If a field has an error, the
 * section opens.
 */
export function SmallTalkFields({
  textFieldProps,
  humanRequest,
  isReadOnly,
  onHumanRequestChange,
}: {
  readonly textFieldProps: (name: TextFieldName) => TextareaProps;
  readonly humanRequest: HumanRequest;
  readonly isReadOnly: boolean;
  readonly onHumanRequestChange: (value: HumanRequest) => void;
}) {
  const [openItem, setOpenItem] = useState<string | null>(null);
  const hasError = smallTalkFieldNames.some((name) => textFieldProps(name).error);
  return (
    <Accordion
      variant="contained"
      value={hasError ? itemName : openItem}
      onChange={(item) => setOpenItem(item)}
    >
      <Accordion.Item value={itemName}>
        <Accordion.Control>Small talk</Accordion.Control>
        <Accordion.Panel>
          <Stack gap="sm">
            <Text size="sm" c="dimmed">
              Replies to messages that are not questions. Empty: default text in the language of the
              message.
            </Text>
            <Radio.Group
              label="If the end user asks for a person"
              value={humanRequest}
              onChange={(value) => onHumanRequestChange(value === 'START' ? 'START' : 'OFFER')}
            >
              <Stack gap={6} mt={6}>
                <Radio value="OFFER" label="Reply how to reach a person" disabled={isReadOnly} />
                <Radio value="START" label="Request a handoff at once" disabled={isReadOnly} />
              </Stack>
            </Radio.Group>
            {smallTalkFieldNames.map((name) => (
              <Textarea key={name} {...textFieldProps(name)} minRows={1} />
            ))}
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
