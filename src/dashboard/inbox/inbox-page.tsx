import { Badge, Box, Group, SegmentedControl, Stack, TextInput, Tooltip } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useParams } from 'wouter';
import { EmptyState } from '../shell/empty-state.tsx';
import { useLive } from '../shell/live.tsx';
import { useOperator } from '../shell/operator.tsx';
import { Page } from '../shell/page.tsx';
import { usePermissions } from '../shell/permissions.ts';
import { useUrlParameter, useUrlText } from '../shell/use-url-text.ts';
import { DeviceSwitch } from './device-switch.tsx';
import { HandoffConversation } from './handoff-conversation.tsx';
import { HandoffList, type InboxFilter } from './handoff-list.tsx';
import classes from './inbox.module.css';

/** Who asked for a person, live, and the conversation of the one that is chosen. Filters stand in the address. */
export function InboxPage() {
  const { waiting } = useLive();
  const conversationId = useParams()['*'] || null;
  const filters = useFilters();
  const [chosen, choose] = useUrlParameter('show');
  const filter = filters.find(({ value }) => value === chosen)?.value ?? 'waiting';
  const { settled, field } = useUrlText('search');
  return (
    <Page
      title="Inbox"
      actions={
        <>
          <ConnectionState />
          <DeviceSwitch />
        </>
      }
    >
      <div className={classes.panes} data-is-open={conversationId === null ? undefined : true}>
        <div className={classes.list}>
          <Stack gap="xs" mb="sm">
            <SegmentedControl
              fullWidth
              size="xs"
              aria-label="Which handoffs"
              data={filters.map(({ value, label }) => ({
                value,
                label: value === 'waiting' && waiting > 0 ? `${label} (${waiting})` : label,
              }))}
              value={filter}
              onChange={(value) => choose(value === 'waiting' ? null : value)}
            />
            <TextInput
              aria-label="Search in handoffs"
              placeholder="Name, address or reason"
              leftSection={<IconSearch size={16} aria-hidden />}
              maxLength={255}
              {...field}
            />
          </Stack>
          <div className={classes.items}>
            <HandoffList filter={filter} search={settled} openConversationId={conversationId} />
          </div>
        </div>
        <Box className={classes.detail}>
          {conversationId === null ? (
            <EmptyState title="No conversation is open" text="Choose one from the list." />
          ) : (
            <HandoffConversation key={conversationId} conversationId={conversationId} />
          )}
        </Box>
      </div>
    </Page>
  );
}

interface Filter {
  readonly value: InboxFilter;
  readonly label: string;
}

function useFilters(): readonly Filter[] {
  const { canWorkHandoffs } = usePermissions();
  const { email } = useOperator();
  return [
    { value: 'waiting', label: 'Waiting' },
    { value: 'progress', label: 'In progress' },
    ...(canWorkHandoffs && email !== null ? [{ value: 'mine', label: 'Mine' } as const] : []),
    { value: 'resolved', label: 'Resolved' },
  ];
}

const connections = {
  connecting: {
    label: 'Connecting …',
    color: 'yellow',
    hint: 'Trying to reach the service. Nothing is lost: what was missed comes first.',
  },
  connected: { label: 'Live', color: 'green', hint: 'What happens appears by itself.' },
  lost: { label: 'Not live', color: 'red', hint: 'Reload the page to see what has happened.' },
};

function ConnectionState() {
  const { label, color, hint } = connections[useLive().connection];
  return (
    <Group role="status">
      <Tooltip label={hint}>
        <Badge variant="dot" color={color} tt="none" tabIndex={0}>
          {label}
        </Badge>
      </Tooltip>
    </Group>
  );
}
