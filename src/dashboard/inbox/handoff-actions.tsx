import { Button } from '@mantine/core';
import { IconCheck, IconRobot } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { IconButton } from '../components/icon-button.tsx';
import { useUrlParameter } from '../components/use-url-text-field.ts';
import { useLiveInbox } from '../live-inbox/live-inbox.tsx';
import { useOperator } from '../project/operator.tsx';
import { useNotifyingMutation } from '../project/use-notifying-mutation.ts';
import {
  claimHandoffMutation,
  resolveHandoffMutation,
  returnToAssistantMutation,
  transferHandoffMutation,
} from './handoff-operations.ts';
import { focusReplyOf } from './reply-focus.ts';
import { shortcutTargets } from './shortcuts.tsx';
import { TransferMenu } from './transfer-menu.tsx';

interface OpenHandoff {
  readonly id: string;
  readonly status: 'REQUESTED' | 'CLAIMED' | 'RESOLVED';
  readonly claimedBy: string | null;
}

/**
 * The actions of an open handoff. An operator can claim a waiting handoff or assign it to a colleague. Operators can
 * resolve, transfer or return their own handoffs. A handoff of another agent must be taken over first.
 */
export function HandoffActions({
  conversationId,
  handoff,
  onClaim,
}: {
  readonly conversationId: string;
  readonly handoff: OpenHandoff;
  /** Called with true when the operator claims the handoff, and with false if that fails. */
  readonly onClaim: (isClaiming: boolean) => void;
}) {
  const [, selectFilter] = useUrlParameter('show');
  const isShown = useIsMounted();
  const { refresh } = useLiveInbox();
  const { email } = useOperator();
  const claim = useNotifyingMutation(claimHandoffMutation, 'The handoff was not claimed');
  const takeOver = useNotifyingMutation(transferHandoffMutation, 'The handoff was not taken over');
  const resolve = useNotifyingMutation(resolveHandoffMutation, 'The handoff was not resolved');
  const returnToAssistant = useNotifyingMutation(
    returnToAssistantMutation,
    'The conversation was not returned',
  );
  const handoffId = handoff.id;
  const claimAndShow = async () => {
    focusReplyOf(conversationId);
    // The reply field appears and receives the focus before the next key arrives.
    flushSync(() => onClaim(true));
    const claimed = await claim.run({ handoffId });
    if (claimed === null) onClaim(false);
    // The claimed handoff leaves the filter "Waiting". Switch the filter only if the operator has not opened another
    // handoff in the meantime.
    else if (isShown.current) selectFilter('mine');
    refresh();
  };
  const isClaimed = handoff.status === 'CLAIMED';
  if (isClaimed && handoff.claimedBy !== email && email !== null) {
    return (
      <Button
        variant="default"
        size="compact-sm"
        loading={takeOver.isRunning}
        onClick={() => takeOver.run({ handoffId, to: email }).finally(refresh)}
      >
        Take over
      </Button>
    );
  }
  return (
    <>
      {isClaimed ? (
        <IconButton
          {...shortcutTargets.resolve}
          label="Resolve"
          variant="filled"
          color="teal.8"
          loading={resolve.isRunning}
          onClick={() => resolve.run({ handoffId }).finally(refresh)}
        >
          <IconCheck size={18} aria-hidden />
        </IconButton>
      ) : (
        <Button
          {...shortcutTargets.claim}
          size="compact-sm"
          loading={claim.isRunning}
          onClick={claimAndShow}
        >
          Claim
        </Button>
      )}
      <IconButton
        label="Return to the assistant"
        loading={returnToAssistant.isRunning}
        onClick={() => returnToAssistant.run({ handoffId }).finally(refresh)}
      >
        <IconRobot size={18} aria-hidden />
      </IconButton>
      <TransferMenu handoff={{ id: handoffId, status: isClaimed ? 'CLAIMED' : 'REQUESTED' }} />
    </>
  );
}

function useIsMounted() {
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}
