import { Badge, Tooltip } from '@mantine/core';

/** Marks a reply to a greeting, thanks and the like, which has no sources and no confidence. */
export function SmallTalkBadge() {
  return (
    <Tooltip label="Answered without the documents. Not counted as unanswered.">
      <Badge size="sm" variant="light" color="gray" tt="none" tabIndex={0}>
        Small talk
      </Badge>
    </Tooltip>
  );
}
