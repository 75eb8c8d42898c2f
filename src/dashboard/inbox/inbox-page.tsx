import {
  Badge,
  Box,
  Group,
  SegmentedControl,
  Skeleton,
  Stack,
  TextInput,
  Tooltip,
} from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useEffect } from 'react';
import { useParams } from 'wouter';
import { EmptyState } from '../components/empty-state.tsx';
import { useUrlParameter, useUrlTextField } from '../components/use-url-text-field.ts';
import { formatCappedCount } from '../format/format-numbers.ts';
import { useHasFailedReload } from '../graphql/coalesce-reloads.ts';
import { LabelFilter } from '../labels/label-filter.tsx';
import { useLiveInbox } from '../live-inbox/live-inbox.tsx';
import { useOperator } from '../project/operator.tsx';
import { useProject } from '../project/project.tsx';
import { usePermissions } from '../project/use-permissions.ts';
import { Page } from '../shell/page.tsx';
import { DeviceNotificationToggle } from './device-notification-toggle.tsx';
import { HandoffList, type InboxFilter } from './handoff-list.tsx';
import classes from './inbox.module.css';
import { rememberInboxTab } from './inbox-address.ts';
import { InboxSettings } from './inbox-settings.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { useUnsentReplies } from './use-reply-outbox.ts';

// A separate script, because the list does not need it.
const HandoffConversation = lazy(() =>
  import('./handoff-conversation.tsx').then((module) => ({ default: module.HandoffConversation })),
);

/** The live list of handoffs and the selected conversation. The URL stores the filters. */
export function InboxPage() {
  const { counts } = useLiveInbox();
  useUnsentReplies();
  const conversationId = useParams()['*'] || null;
  const filters = useInboxFilters();
  const [selectedFilter, selectFilter] = useUrlParameter('show');
  const filter = filters.find(({ value }) => value === selectedFilter)?.value ?? 'waiting';
  const { id: projectId } = useProject();
  useEffect(() => {
    rememberInboxTab(projectId, filter === 'waiting' ? null : filter);
  }, [projectId, filter]);
  const [labelId, selectLabel] = useUrlParameter('label');
  const { committed: search, field } = useUrlTextField('search');
  return (
    <Page title="Inbox" isTitleHidden>
      <Shortcuts />
      <div className={classes.panes} data-is-open={conversationId === null ? undefined : true}>
        <div className={classes.list}>
          <Stack gap="xs" mb="sm">
            <Group gap="xs">
              <ConnectionState />
              <Group gap="xs" ml="auto">
                <DeviceNotificationToggle />
                <InboxSettings />
              </Group>
            </Group>
            <SegmentedControl
              fullWidth
              size="xs"
              aria-label="Filter handoffs"
              classNames={{ label: classes.filter }}
              data={filters.map(({ value, label }) => {
                const count = counts[value === 'progress' ? 'claimed' : value];
                return {
                  value,
                  label: count > 0 ? `${label} (${formatCappedCount(count)})` : label,
                };
              })}
              value={filter}
              onChange={(value) => selectFilter(value === 'waiting' ? null : value)}
            />
            <TextInput
              aria-label="Search in handoffs"
              placeholder="Name, e-mail or reason"
              leftSection={<IconSearch size={16} aria-hidden />}
              maxLength={255}
              {...field}
            />
            <LabelFilter value={labelId} onChange={selectLabel} isLabelVisible={false} />
          </Stack>
          <div className={classes.items}>
            <HandoffList
              key={filter}
              filter={filter}
              search={search}
              labelId={labelId}
              openConversationId={conversationId}
            />
          </div>
        </div>
        <Box className={classes.detail}>
          {conversationId === null ? (
            <EmptyState title="No conversation selected" text="Select one from the list." />
          ) : (
            <Suspense fallback={<Skeleton h={240} aria-label="Loading" />}>
              <HandoffConversation key={conversationId} conversationId={conversationId} />
            </Suspense>
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

function useInboxFilters(): readonly Filter[] {
  const { canWorkHandoffs } = usePermissions();
  const { email } = useOperator();
  return [
    { value: 'waiting', label: 'Waiting' },
    { value: 'progress', label: 'In progress' },
    ...(canWorkHandoffs && email !== null ? [{ value: 'mine', label: 'Mine' } as const] : []),
    { value: 'resolved', label: 'Resolved' },
  ];
}

const connectionStates = {
  connecting: {
    label: 'Connecting…',
    color: 'yellow',
    hint: 'Connecting to the service. Missed events are loaded after that.',
  },
  connected: { label: 'Live', color: 'green', hint: 'New events appear automatically.' },
  stale: {
    label: 'Not up to date',
    color: 'yellow',
    hint: 'Something could not be loaded. The dashboard tries again by itself.',
  },
  lost: {
    label: 'Not live',
    color: 'red',
    hint: 'Live updates have stopped. Reload the page to reconnect.',
  },
};

function ConnectionState() {
  const { connection } = useLiveInbox();
  const isStale = useHasFailedReload() && connection === 'connected';
  const { label, color, hint } = connectionStates[isStale ? 'stale' : connection];
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
