import { Badge, Checkbox, Group, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link, useSearch } from 'wouter';
import { RelativeTime } from '../components/relative-time.tsx';
import { formatCappedCount } from '../format/format-numbers.ts';
import { LabelBadges } from '../labels/label-badges.tsx';
import { useOperator } from '../project/operator.tsx';
import { useProject } from '../project/project.tsx';
import { useAgentName } from '../project/use-agent-name.ts';
import { RatingBadge } from '../satisfaction/rating-badge.tsx';
import { endUserLabel } from '../transcript/end-user-label.ts';
import { UrgentClocks } from './clock-badges.tsx';
import type { HandoffRow } from './handoff-operations.ts';
import classes from './inbox.module.css';
import { shortcutTargets } from './shortcuts.tsx';

/** Prefixes of the last message in a row. */
const speakers = { USER: '', ASSISTANT: 'Assistant: ', AGENT: 'Team: ', SYSTEM: '' };

/** A row of the list: a link to the conversation, and a checkbox if the handoff can be selected (`onSelect`). */
export function HandoffItem({
  handoff,
  isOpen,
  isSelected,
  onSelect,
}: {
  readonly handoff: HandoffRow;
  readonly isOpen: boolean;
  readonly isSelected: boolean;
  readonly onSelect: ((isSelected: boolean) => void) | null;
}) {
  const { id: projectId } = useProject();
  const { email } = useOperator();
  const nameOf = useAgentName();
  const parameters = useSearch();
  const itemRef = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isOpen) itemRef.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  const { conversation, reason, claimedBy, requestedAt, resolvedAt } = handoff;
  const { lastMessage } = conversation;
  const rating = handoff.satisfaction?.rating ?? null;
  const name = endUserLabel(conversation, handoff);
  const isMine = claimedBy === email;
  // The operator is reading the open conversation, so it has no unread messages.
  const unreadCount = isMine && !isOpen ? handoff.unreadCount : 0;
  return (
    <li ref={itemRef} className={classes.row}>
      {onSelect !== null && (
        <Checkbox
          size="xs"
          aria-label={`Select ${name}`}
          checked={isSelected}
          onChange={(event) => onSelect(event.currentTarget.checked)}
        />
      )}
      <Link
        href={`/${projectId}/inbox/${handoff.conversationId}${parameters && `?${parameters}`}`}
        aria-current={isOpen ? 'true' : undefined}
        {...shortcutTargets.row}
        className={classes.item}
      >
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Text fw={600} size="sm" truncate dir="auto">
            {name}
          </Text>
          <RelativeTime
            at={resolvedAt ?? requestedAt}
            size="xs"
            c="dimmed"
            style={{ whiteSpace: 'nowrap' }}
          />
        </Group>
        <Text size="sm" lineClamp={2} dir="auto">
          {reason ?? conversation.title}
        </Text>
        {lastMessage !== null && (
          <Text
            size="xs"
            truncate
            dir="auto"
            {...(unreadCount > 0 ? { fw: 700 } : { c: 'dimmed' })}
          >
            {speakers[lastMessage.role]}
            {lastMessage.text}
          </Text>
        )}
        <UrgentClocks handoff={handoff} />
        <LabelBadges labels={conversation.labels} mt={4} />
        {claimedBy !== null && (
          <Group gap={6} mt={4} wrap="nowrap">
            <Badge size="sm" variant="light" tt="none" className={classes.owner}>
              {isMine ? 'You' : nameOf(claimedBy)}
            </Badge>
            {rating !== null && <RatingBadge rating={rating} />}
            {unreadCount > 0 && (
              <Badge size="sm" tt="none" className={classes.unread}>
                {formatCappedCount(unreadCount)} new
              </Badge>
            )}
          </Group>
        )}
      </Link>
    </li>
  );
}
