import { ActionIcon, Badge, Title } from '@mantine/core';
import { IconArrowLeft, IconUserCircle } from '@tabler/icons-react';
import { Link, useSearch } from 'wouter';
import { IconButton } from '../components/icon-button.tsx';
import { TakeOverButton } from '../conversations/take-over-button.tsx';
import { useOperator } from '../project/operator.tsx';
import { useProject } from '../project/project.tsx';
import { useAgentName } from '../project/use-agent-name.ts';
import { usePermissions } from '../project/use-permissions.ts';
import {
  conversationStatusColors,
  conversationStatusLabels,
} from '../transcript/conversation-status.ts';
import { endUserLabel } from '../transcript/end-user-label.ts';
import type { useTranscript } from '../transcript/use-transcript.ts';
import { HandoffActions } from './handoff-actions.tsx';
import classes from './inbox.module.css';

export type Conversation = NonNullable<ReturnType<typeof useTranscript>['conversation']>;

/** One line above the transcript: the end user, the state and the actions. */
export function ConversationHead({
  conversation,
  onClaim,
  onShowEndUser,
}: {
  readonly conversation: Conversation;
  readonly onClaim: (isClaiming: boolean) => void;
  /** Opens the pane of the end user on screens that are too narrow to show it always. */
  readonly onShowEndUser: () => void;
}) {
  const { canWorkHandoffs } = usePermissions();
  const { email } = useOperator();
  const { id, handoff, status } = conversation;
  const nameOf = useAgentName();
  const owner = handoff?.claimedBy === email ? 'you' : nameOf(handoff?.claimedBy ?? 'an agent');
  return (
    <div className={classes.head}>
      <BackToList />
      <Title order={2} size="h5" dir="auto" className={classes.name}>
        {endUserLabel(conversation, handoff)}
      </Title>
      <Badge
        variant="light"
        tt="none"
        color={conversationStatusColors[status]}
        className={classes.state}
      >
        {status === 'HUMAN' ? `With ${owner}` : conversationStatusLabels[status]}
      </Badge>
      {canWorkHandoffs && handoff !== null && handoff.status !== 'RESOLVED' && (
        <HandoffActions conversationId={id} handoff={handoff} onClaim={onClaim} />
      )}
      {canWorkHandoffs && email !== null && handoff?.status === 'RESOLVED' && (
        <TakeOverButton conversationId={id} label="Reopen" />
      )}
      <IconButton label="About the end user" className={classes.paneButton} onClick={onShowEndUser}>
        <IconUserCircle size={20} aria-hidden />
      </IconButton>
    </div>
  );
}

/** On a narrow screen, which shows either the list or the conversation. */
export function BackToList() {
  const { id: projectId } = useProject();
  const search = useSearch();
  return (
    <ActionIcon
      component={Link}
      href={`/${projectId}/inbox${search && `?${search}`}`}
      hiddenFrom="md"
      variant="subtle"
      color="gray"
      aria-label="All handoffs"
    >
      <IconArrowLeft size={18} aria-hidden />
    </ActionIcon>
  );
}
