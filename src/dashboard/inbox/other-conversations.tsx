import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { RelativeTime } from '../components/relative-time.tsx';
import { graphql } from '../graphql/graphql.ts';
import { useFreshQuery } from '../graphql/use-fresh-query.ts';
import { LabelBadges } from '../labels/label-badges.tsx';
import { useProject } from '../project/project.tsx';
import { RatingBadge } from '../satisfaction/rating-badge.tsx';
import { conversationStatusLabels } from '../transcript/conversation-status.ts';
import classes from './inbox.module.css';

const maxShown = 5;

const otherConversationsQuery = graphql(`
  query OtherConversations($projectId: ID!, $endUserId: String!) {
    conversations(projectId: $projectId, endUserId: $endUserId, first: 7) {
      edges {
        node {
          id
          title
          status
          isEndUserVerified
          createdAt
          labels {
            id
            name
            color
          }
          handoff {
            id
            satisfaction {
              handoffId
              rating
            }
          }
        }
      }
    }
  }
`);

/**
 * The latest conversations of the same end user except this one, with their outcome. A verified and an
 * unverified end user with the same id are different end users.
 */
export function OtherConversations({
  endUserId,
  conversation,
}: {
  readonly endUserId: string;
  readonly conversation: {
    readonly id: string;
    readonly isEndUserVerified: boolean;
  };
}) {
  const { id: projectId } = useProject();
  const { data, error } = useFreshQuery(otherConversationsQuery, { projectId, endUserId });
  if (error !== undefined) {
    return (
      <Text size="xs" c="dimmed">
        The other conversations could not be loaded
      </Text>
    );
  }
  const others = (data?.conversations.edges ?? [])
    .map(({ node }) => node)
    .filter(({ isEndUserVerified }) => isEndUserVerified === conversation.isEndUserVerified)
    .filter(({ id }) => id !== conversation.id)
    .slice(0, maxShown);
  if (others.length === 0) return null;
  return (
    <div>
      <Text size="xs" fw={600} mb={4}>
        Other conversations
      </Text>
      <Stack gap="xs" component="ul" m={0} p={0} aria-label="Other conversations">
        {others.map(({ id, title, status, createdAt, labels, handoff }) => (
          <li key={id} className={classes.more}>
            <Anchor
              component={Link}
              href={`/${projectId}/conversations/${id}`}
              size="sm"
              className={classes.text}
            >
              <bdi>{title}</bdi>
            </Anchor>
            <Group gap={6}>
              <Text size="xs" c="dimmed">
                {conversationStatusLabels[status]} · <RelativeTime at={createdAt} size="xs" span />
              </Text>
              {handoff?.satisfaction?.rating != null && (
                <RatingBadge rating={handoff.satisfaction.rating} />
              )}
            </Group>
            <LabelBadges labels={labels} mt={2} />
          </li>
        ))}
      </Stack>
    </div>
  );
}
