import { Button, Code, CopyButton, Group, Text, Title } from '@mantine/core';
import { confirmAction } from '../../components/confirm-action.tsx';
import { notifySuccess } from '../../components/error-messages.tsx';
import { useProject } from '../../project/project.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { rotateWidgetKeyMutation } from './widget-operations.ts';

/** The script tag to copy, and a button that replaces the key in it. */
export function WidgetScriptTag({
  publishableKey,
  onRotated,
}: {
  readonly publishableKey: string;
  readonly onRotated: () => void;
}) {
  const { id: projectId } = useProject();
  const rotate = useNotifyingMutation(rotateWidgetKeyMutation, 'The key was not replaced');
  const tag = `<script src="${location.origin}/widget.js" data-key="${publishableKey}" async></script>`;
  const replace = async () => {
    if ((await rotate.run({ projectId })) === null) return;
    notifySuccess('The key was replaced. Update the script tag on your pages.');
    onRotated();
  };
  return (
    <section aria-labelledby="widget-tag">
      <Title order={2} size="h4" id="widget-tag" mb={4}>
        Script tag
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        The key is public. It identifies this widget and works only on the allowed domains.
      </Text>
      <Code block mb="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {tag}
      </Code>
      <Group>
        <CopyButton value={tag}>
          {({ copied, copy }) => (
            <Button onClick={copy} variant={copied ? 'light' : 'filled'}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
        <Button
          variant="subtle"
          color="red"
          loading={rotate.isRunning}
          onClick={() =>
            confirmAction({
              title: 'Replace the key?',
              text: 'Pages with the old key lose the chat until you update their script tag. Visitors keep their conversations.',
              confirm: 'Replace',
              onConfirm: replace,
            })
          }
        >
          Replace the key…
        </Button>
      </Group>
    </section>
  );
}
