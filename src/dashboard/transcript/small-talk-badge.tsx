import { Badge, Tooltip } from '@mantine/core';

/** Marks a reply to small talk, such as a greeting or thanks. Such a reply has no sources and no confidence. */
export function SmallTalkBadge() {
  return (
    <Tooltip label="Answered without the documents. Not counted as unanswered.">
      <Badge size="sm" variant="light" color="gray" tt="none" tabIndex={0}>
        Small talk
      </Badge>
    </Tooltip>
  );
}
