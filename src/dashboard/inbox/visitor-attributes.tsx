import { Stack, Text } from '@mantine/core';
import type { Conversation } from './conversation-head.tsx';
import classes from './inbox.module.css';

/** What the page of the visitor says of the visitor. Renders nothing if it says nothing. */
export function VisitorAttributes({
  attributes,
}: {
  readonly attributes: Conversation['visitorAttributes'];
}) {
  if (attributes.length === 0) return null;
  return (
    <Stack gap={2} component="section" aria-label="Attributes of the visitor">
      <Text size="xs" c="dimmed">
        From the page, not verified
      </Text>
      {attributes.map(({ name, value }) => (
        <Text key={name} size="xs" className={classes.text}>
          <Text span inherit c="dimmed" dir="auto">
            {name}:
          </Text>{' '}
          <span dir="auto">{value}</span>
        </Text>
      ))}
    </Stack>
  );
}
