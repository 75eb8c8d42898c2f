import { Button } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';

/**
 * Shows the number of messages that arrived while the operator was reading earlier messages. A click shows the new
 * messages.
 */
export function NewMessages({
  count,
  onShow,
}: {
  readonly count: number;
  readonly onShow: () => void;
}) {
  return (
    <div role="status">
      {count > 0 && (
        <Button
          size="compact-sm"
          radius="xl"
          mb="xs"
          leftSection={<IconArrowDown size={14} aria-hidden />}
          onClick={onShow}
        >
          {count === 1 ? '1 new message' : `${count} new messages`}
        </Button>
      )}
    </div>
  );
}
