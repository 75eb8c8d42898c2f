import { Badge, Box, Grid, Group, SegmentedControl, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { useParams } from 'wouter';
import { useLive } from '../shell/live.tsx';
import { Page } from '../shell/page.tsx';
import { HandoffConversation } from './handoff-conversation.tsx';
import { HandoffList, type InboxFilter } from './handoff-list.tsx';

const filters: { readonly value: InboxFilter; readonly label: string }[] = [
  { value: 'REQUESTED', label: 'Waiting' },
  { value: 'CLAIMED', label: 'In progress' },
  { value: 'MINE', label: 'Mine' },
  { value: 'RESOLVED', label: 'Resolved' },
];

/** Who asked for a person, live, and the conversation of the one that is chosen. */
export function InboxPage() {
  const [filter, setFilter] = useState<InboxFilter>('REQUESTED');
  const conversationId = useParams()['*'] || null;
  return (
    <Page title="Inbox" actions={<ConnectionState />}>
      <SegmentedControl
        aria-label="Which handoffs"
        data={filters}
        value={filter}
        onChange={(value) => setFilter(value as InboxFilter)}
        w="fit-content"
        maw="100%"
      />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Box visibleFrom={conversationId === null ? undefined : 'md'}>
            <HandoffList filter={filter} openConversationId={conversationId} />
          </Box>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 8 }}>
          {conversationId !== null && (
            <HandoffConversation key={conversationId} conversationId={conversationId} />
          )}
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function ConnectionState() {
  const { isConnected } = useLive();
  return (
    <Group role="status">
      <Tooltip
        label={
          isConnected
            ? 'New handoffs appear by themselves'
            : 'Trying to reach the service. Nothing is lost: what was missed comes first.'
        }
      >
        <Badge variant="dot" color={isConnected ? 'green' : 'yellow'} tt="none">
          {isConnected ? 'Live' : 'Reconnecting …'}
        </Badge>
      </Tooltip>
    </Group>
  );
}
