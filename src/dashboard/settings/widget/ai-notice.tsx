import { Button, Group, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { showFieldErrors } from '../../components/field-errors.ts';
import { useProject } from '../../project/project.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { updateWidgetMutation } from './widget-operations.ts';

/** The AI notice of the widget. It can be worded, but not switched off. */
export function AiNotice({
  text,
  onChange,
}: {
  readonly text: string;
  readonly onChange: () => void;
}) {
  const { id: projectId } = useProject();
  const update = useNotifyingMutation(updateWidgetMutation, 'The notice was not changed');
  const form = useForm({
    initialValues: { aiNotice: text },
    validate: { aiNotice: (entered) => (entered.trim() === '' ? 'Enter a text' : null) },
  });
  const save = async (aiNotice: string | null) => {
    const changed = await update.run({ input: { projectId, aiNotice } }, (messages) =>
      showFieldErrors(form, messages, { aiNotice: 'aiNotice' }),
    );
    if (changed !== null) onChange();
  };
  return (
    <section aria-labelledby="ai-notice">
      <Title order={2} size="h4" id="ai-notice" mb={4}>
        AI notice
      </Title>
      <form onSubmit={form.onSubmit(({ aiNotice }) => save(aiNotice))}>
        <TextInput
          label="What visitors read before their first message"
          description="The EU AI Act asks you to say that an AI system answers. The default is shown in the language of the visitor."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={200}
          dir="auto"
          {...form.getInputProps('aiNotice')}
        />
        <Group gap="xs" mt="sm">
          <Button
            type="submit"
            variant="default"
            loading={update.isRunning}
            disabled={!form.isDirty()}
          >
            Save the notice
          </Button>
          <Button variant="subtle" disabled={update.isRunning} onClick={() => save(null)}>
            Use the default
          </Button>
        </Group>
      </form>
    </section>
  );
}
