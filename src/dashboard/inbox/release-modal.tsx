import { useLiveInbox } from '../live-inbox/live-inbox.tsx';
import { useNotifyingMutation } from '../project/use-notifying-mutation.ts';
import { releaseHandoffMutation } from './handoff-operations.ts';
import { NoteModal } from './note-modal.tsx';

/** Asks for a note, then returns the operator's own handoff to the waiting handoffs. */
export function ReleaseModal({
  handoffId,
  onClose,
}: {
  readonly handoffId: string;
  readonly onClose: () => void;
}) {
  const { refresh } = useLiveInbox();
  const release = useNotifyingMutation(releaseHandoffMutation, 'The handoff was not put back');
  return (
    <NoteModal
      title="Back to waiting"
      text="The end user waits for another agent, and the assistant answers in the meantime."
      verb="Put back"
      saving={release}
      onClose={onClose}
      onSubmit={async (note) =>
        (await release.run({ handoffId, note }).finally(refresh)) !== null && onClose()
      }
    />
  );
}
