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
import { useQuery } from 'urql';
import { askFirst } from '../shell/ask-first.tsx';
import { EmptyState } from '../shell/empty-state.tsx';
import { LoadFailure, notifySuccess } from '../shell/failure.tsx';
import { usePermissions } from '../shell/permissions.ts';
import { useProject } from '../shell/project.tsx';
import { useAction } from '../shell/use-action.ts';
import { rotateWidgetKeyMutation, updateWidgetMutation, widgetQuery } from './widget-operations.ts';

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

function ManagedWidget() {
  const { id: projectId } = useProject();
  const [{ data, error }, reload] = useQuery({ query: widgetQuery, variables: { projectId } });
  const update = useAction(updateWidgetMutation, 'The widget was not changed');
  const again = () => reload({ requestPolicy: 'network-only' });
  if (error !== undefined) return <LoadFailure error={error} onRetry={again} />;
  if (data?.project == null) return <Skeleton h={320} aria-label="Loading" />;
  const { widget } = data.project;
  const change = async (input: { isEnabled?: boolean; allowedOrigins?: string[] }) => {
    const changed = await update.run({ input: { projectId, ...input } });
    if (changed !== null) again();
    return changed !== null;
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
        isBusy={update.isRunning}
        onChange={(origins) => change({ allowedOrigins: origins })}
      />
      <Snippet publishableKey={publishableKey} onRotated={again} />
      <Preview publishableKey={publishableKey} origins={allowedOrigins} onAllow={change} />
    </Stack>
  );
}

function AllowedDomains({
  origins,
  isBusy,
  onChange,
}: {
  readonly origins: readonly string[];
  readonly isBusy: boolean;
  readonly onChange: (origins: string[]) => Promise<boolean>;
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
                onClick={() => onChange(origins.filter((other) => other !== origin))}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
          ))}
        </Stack>
      )}
      <form
        onSubmit={form.onSubmit(async ({ origin }) => {
          if (await onChange([...origins, origin.trim()])) form.reset();
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
  onAllow,
}: {
  readonly publishableKey: string;
  readonly origins: readonly string[];
  readonly onAllow: (input: { allowedOrigins: string[] }) => Promise<boolean>;
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
            onClick={() => onAllow({ allowedOrigins: [...origins, own] })}
          >
            Add it
          </Button>
        </Group>
      )}
    </section>
  );
}
