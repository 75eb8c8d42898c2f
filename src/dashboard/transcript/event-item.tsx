import { Box, Text } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { RelativeTime } from '../components/relative-time.tsx';
import { graphql } from '../graphql/graphql.ts';
import { useOperator } from '../project/operator.tsx';
import { useAgentName } from '../project/use-agent-name.ts';
import { describeEvent } from './describe-event.ts';

export const eventFields = graphql(`
  fragment EventFields on ConversationEvent {
    id
    type
    actor
    previousAgent
    agent
    createdAt
  }
`);

export type TranscriptEvent = ResultOf<typeof eventFields>;

/** A line of the transcript that shows who gave the conversation to whom. */
export function EventItem({
  event,
  isReopening,
}: {
  readonly event: TranscriptEvent;
  /** Whether the conversation was resolved before the agent took it over. */
  readonly isReopening: boolean;
}) {
  const { email } = useOperator();
  const nameOf = useAgentName();
  return (
    <Box component="li" style={{ listStyle: 'none', alignSelf: 'center' }} maw="92%">
      <Text size="xs" c="dimmed" ta="center" style={{ overflowWrap: 'anywhere' }}>
        {describeEvent({ ...event, isReopening }, email, nameOf)}{' '}
        <Text span size="xs" style={{ whiteSpace: 'nowrap' }}>
          · <RelativeTime at={event.createdAt} size="xs" span />
        </Text>
      </Text>
    </Box>
  );
}
