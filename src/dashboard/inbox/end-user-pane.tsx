import { Drawer, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { RelativeTime } from '../components/relative-time.tsx';
import { formatAmount } from '../format/format-amount.ts';
import { LabelPicker } from '../labels/label-picker.tsx';
import { useLiveInbox } from '../live-inbox/live-inbox.tsx';
import { HandoffRating } from '../satisfaction/handoff-rating.tsx';
import { channelLabelOf } from '../transcript/conversation-channel.ts';
import { endUserLabel } from '../transcript/end-user-label.ts';
import { NewerConversation } from '../transcript/newer-conversation.tsx';
import { VerifiedBadge } from '../transcript/verified-badge.tsx';
import { AllClocks } from './clock-badges.tsx';
import type { Conversation } from './conversation-head.tsx';
import classes from './inbox.module.css';
import { OtherConversations } from './other-conversations.tsx';
import { VisitorAttributes } from './visitor-attributes.tsx';
import { VisitorSurroundings } from './visitor-surroundings.tsx';

/** From this width, the pane is beside the transcript. Also in `inbox.module.css`. */
const wideScreen = '(min-width: 80em)';

/** The pane beside the transcript. On a narrow screen, a drawer that opens if `isOpen`. */
export function EndUserSide({
  conversation,
  isOpen,
  onClose,
}: {
  readonly conversation: Conversation;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const isWide = useMediaQuery(wideScreen, undefined, { getInitialValueInEffect: false });
  if (isWide) {
    return (
      <aside aria-label="About the end user" className={classes.pane}>
        <EndUserPane conversation={conversation} />
      </aside>
    );
  }
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size="xs"
      title="About the end user"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <EndUserPane conversation={conversation} />
    </Drawer>
  );
}

/** What the team knows of the end user and of the request. */
function EndUserPane({ conversation }: { readonly conversation: Conversation }) {
  const { refresh } = useLiveInbox();
  const { id, handoff, labels, channel, createdAt, cost } = conversation;
  const { endUserId, isEndUserVerified, endUserEmail } = conversation;
  const email = handoff?.email ?? endUserEmail;
  return (
    <Stack gap="sm">
      <div>
        <Text fw={600} size="sm" dir="auto" className={classes.text}>
          {endUserLabel(conversation, handoff)}
        </Text>
        {email !== null && (
          <Text size="sm" dir="auto" className={classes.text}>
            {email}
          </Text>
        )}
        {isEndUserVerified ? (
          <VerifiedBadge endUserId={endUserId} />
        ) : (
          <Text size="xs" c="dimmed">
            Not verified
          </Text>
        )}
      </div>
      <VisitorSurroundings conversation={conversation} />
      <VisitorAttributes attributes={conversation.visitorAttributes} />
      <NewerConversation conversation={conversation} />
      {handoff !== null && (
        <div>
          <Text size="sm" component="div" className={classes.reason}>
            {handoff.reason !== null && <span dir="auto">{handoff.reason} </span>}
            <Text span size="xs" c="dimmed">
              {handoff.isRequested ? 'Requested' : 'Taken over'}{' '}
              <RelativeTime at={handoff.requestedAt} size="xs" span />
            </Text>
          </Text>
          <AllClocks handoff={handoff} />
        </div>
      )}
      <HandoffRating satisfaction={conversation.latestRating} />
      <LabelPicker conversationId={id} labels={labels} onChange={refresh} />
      <Text size="xs" c="dimmed">
        {channelLabelOf(channel)} · started <RelativeTime at={createdAt} size="xs" span />
        {cost !== null && ` · cost ${formatAmount(cost)}`}
      </Text>
      {endUserId !== null && (
        <OtherConversations endUserId={endUserId} conversation={conversation} />
      )}
    </Stack>
  );
}
