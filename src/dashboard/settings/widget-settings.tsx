import {
  ActionIcon,
  Alert,
  Anchor,
  Button,
  Code,
  CopyButton,
  Group,
  Skeleton,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useClient } from 'urql';
import { useFreshQuery } from '../graphql/use-fresh-query.ts';
import { askFirst } from '../shell/ask-first.tsx';
import { EmptyState } from '../shell/empty-state.tsx';
import { LoadFailure, notifyFailure, notifySuccess } from '../shell/failure.tsx';
import { usePermissions } from '../shell/permissions.ts';
import { useProject } from '../shell/project.tsx';
import { useAction } from '../shell/use-action.ts';
import { rotateWidgetKeyMutation, updateWidgetMutation, widgetQuery } from './widget-operations.ts';

/** What is to become of the list of domains as it is now. */
type EditOrigins = (origins: readonly string[]) => string[];

/** The chat of the project on web sites. */
export function WidgetSettings() {
  const { canManage } = usePermissions();
  if (canManage) return <ManagedWidget />;
  return (
    <EmptyState
      title="For owners and admins"
      text="They put the chat on web sites. Ask one of them if it is missing on yours."
    />
  );
}

const notChanged = 'The widget was not changed';

function ManagedWidget() {
  const { id: projectId } = useProject();
  const client = useClient();
  const { data, error, reload } = useFreshQuery(widgetQuery, { projectId });
  const [isReading, setIsReading] = useState(false);
  const update = useAction(updateWidgetMutation, notChanged);
  if (data?.project == null) {
    return error === undefined ? (
      <Skeleton h={320} aria-label="Loading" />
    ) : (
      <LoadFailure error={error} onRetry={reload} />
    );
  }
  const { widget } = data.project;
  const change = async (input: { isEnabled?: boolean; allowedOrigins?: string[] }) => {
    const changed = await update.run({ input: { projectId, ...input } });
    if (changed !== null) reload();
    return changed !== null;
  };
  /** What is shown may be older than what a colleague has done. */
  const editOrigins = async (edit: EditOrigins) => {
    setIsReading(true);
    const read = await client.query(widgetQuery, { projectId }, { requestPolicy: 'network-only' });
    setIsReading(false);
    if (read.error !== undefined) notifyFailure(notChanged, read.error);
    const origins = read.data?.project?.widget?.allowedOrigins;
    return origins !== undefined && change({ allowedOrigins: edit(origins) });
  };
  if (widget === null) {
    return (
      <EmptyState
        title="A chat for your web site"
        text="One line of HTML, and visitors can ask the assistant of this project."
      >
        <Button loading={update.isRunning} onClick={() => change({})}>
          Set up the widget
        </Button>
      </EmptyState>
    );
  }
  const { isEnabled, allowedOrigins, publishableKey } = widget;
  return (
    <Stack maw={720} gap="xl">
      <Switch
        label="Answer visitors"
        description="Switched off, the chat is refused on every site at once."
        checked={isEnabled}
        disabled={update.isRunning}
        onChange={(event) => change({ isEnabled: event.currentTarget.checked })}
      />
      <AllowedDomains
        origins={allowedOrigins}
        isBusy={isReading || update.isRunning}
        onEdit={editOrigins}
      />
      <Snippet publishableKey={publishableKey} onRotated={reload} />
      <Preview publishableKey={publishableKey} origins={allowedOrigins} onEdit={editOrigins} />
    </Stack>
  );
}

function AllowedDomains({
  origins,
  isBusy,
  onEdit,
}: {
  readonly origins: readonly string[];
  readonly isBusy: boolean;
  readonly onEdit: (edit: EditOrigins) => Promise<boolean>;
}) {
  const form = useForm({
    initialValues: { origin: '' },
    validate: { origin: (origin) => (origin.trim() === '' ? 'Enter a domain' : null) },
  });
  return (
    <section aria-labelledby="allowed-domains">
      <Title order={2} size="h4" id="allowed-domains" mb={4}>
        Allowed domains
      </Title>
      {origins.length === 0 ? (
        <Alert color="yellow" mb="sm" title="It answers nobody yet">
          Enter the address of the site that is to have the chat.
        </Alert>
      ) : (
        <Stack component="ul" gap={0} p={0} m={0} mb="sm" aria-labelledby="allowed-domains">
          {origins.map((origin) => (
            <Group
              component="li"
              key={origin}
              justify="space-between"
              wrap="nowrap"
              py={4}
              style={{
                listStyle: 'none',
                borderBottom: '1px solid var(--mantine-color-default-border)',
              }}
            >
              <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                {origin}
              </Text>
              <ActionIcon
                variant="subtle"
                color="red"
                disabled={isBusy}
                aria-label={`Remove ${origin}`}
                onClick={() => onEdit((present) => present.filter((other) => other !== origin))}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
          ))}
        </Stack>
      )}
      <form
        onSubmit={form.onSubmit(async ({ origin }) => {
          if (await onEdit((present) => [...present, origin.trim()])) form.reset();
        })}
      >
        <Group align="flex-start" wrap="nowrap">
          <TextInput
            label="Add a domain"
            description="https://www.example.com, or https://*.example.com for all below"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            flex={1}
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps('origin')}
          />
          <Button type="submit" variant="default" mt={25} loading={isBusy}>
            Add
          </Button>
        </Group>
      </form>
    </section>
  );
}

function Snippet({
  publishableKey,
  onRotated,
}: {
  readonly publishableKey: string;
  readonly onRotated: () => void;
}) {
  const { id: projectId } = useProject();
  const rotate = useAction(rotateWidgetKeyMutation, 'The key was not replaced');
  const tag = `<script src="${location.origin}/widget.js" data-key="${publishableKey}" async></script>`;
  const replace = async () => {
    if ((await rotate.run({ projectId })) === null) return;
    notifySuccess('The key was replaced. Put the new tag on your pages.');
    onRotated();
  };
  return (
    <section aria-labelledby="widget-tag">
      <Title order={2} size="h4" id="widget-tag" mb={4}>
        The tag for your pages
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        The key in it is no secret: it names this widget, and works on the domains above alone.
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
            askFirst({
              title: 'Replace the key?',
              text: 'Pages with the old one lose the chat at once, until they have the new tag. Visitors keep their conversations.',
              confirm: 'Replace',
              onConfirm: replace,
            })
          }
        >
          Replace the key …
        </Button>
      </Group>
    </section>
  );
}

/** A page of the service's own is a site like any other. */
function Preview({
  publishableKey,
  origins,
  onEdit,
}: {
  readonly publishableKey: string;
  readonly origins: readonly string[];
  readonly onEdit: (edit: EditOrigins) => Promise<boolean>;
}) {
  const own = location.origin;
  return (
    <section aria-labelledby="widget-preview">
      <Title order={2} size="h4" id="widget-preview" mb={4}>
        Preview
      </Title>
      {origins.includes(own) ? (
        <Anchor href={`/widget/preview/${publishableKey}`} target="_blank" rel="noreferrer">
          Open a page with the widget
        </Anchor>
      ) : (
        <Group>
          <Text size="sm" c="dimmed">
            To try it here, {own} has to be on the list.
          </Text>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => onEdit((present) => [...present, own])}
          >
            Add it
          </Button>
        </Group>
      )}
    </section>
  );
}
