import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { confirmAction } from '../components/confirm-action.tsx';
import { formatCountOf } from '../format/format-numbers.ts';
import { useLiveInbox } from '../live-inbox/live-inbox.tsx';
import { useNotifyingMutation } from '../project/use-notifying-mutation.ts';
import { resolveHandoffMutation } from './handoff-operations.ts';

/** Resolves the selected handoffs, one after the other. If a handoff cannot be resolved, it stays selected. */
export function ResolveSelected({
  handoffIds,
  onDeselect,
}: {
  readonly handoffIds: readonly string[];
  readonly onDeselect: (handoffIds: readonly string[]) => void;
}) {
  const { refresh } = useLiveInbox();
  const resolve = useNotifyingMutation(resolveHandoffMutation, 'A handoff was not resolved');
  const [isRunning, setRunning] = useState(false);
  if (handoffIds.length === 0) return null;
  const count = formatCountOf(handoffIds.length, 'conversation');
  const resolveAll = async () => {
    setRunning(true);
    const resolved: string[] = [];
    for (const handoffId of handoffIds) {
      if ((await resolve.run({ handoffId })) !== null) resolved.push(handoffId);
    }
    setRunning(false);
    onDeselect(resolved);
    refresh();
  };
  return (
    <Group gap="xs" mb="xs">
      <Button
        size="xs"
        loading={isRunning}
        onClick={() =>
          confirmAction({
            title: `Resolve ${count}?`,
            text: 'The assistant answers the next message of these end users.',
            confirm: 'Resolve',
            onConfirm: resolveAll,
          })
        }
      >
        Resolve {count}
      </Button>
      <Button size="xs" variant="default" onClick={() => onDeselect(handoffIds)}>
        Clear selection
      </Button>
    </Group>
  );
}
