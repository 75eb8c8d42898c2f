import { List, Text } from '@mantine/core';
import { formatCount } from '../../format/format-numbers.ts';

/** A titled list of what a run reports of documents or pages. Renders nothing without texts. */
export function RunEntries({
  label,
  texts,
  count,
}: {
  readonly label: string;
  readonly texts: readonly string[];
  /** Number of all entries, also of those that the run does not name. */
  readonly count: number;
}) {
  if (texts.length === 0) return null;
  // Two documents may have the same name, and a list of a run never changes its order.
  const entries = texts.map((text, index) => ({ text, key: `${index} ${text}` }));
  return (
    <>
      <Text size="sm" fw={600} mt={4}>
        {label}
      </Text>
      <List size="sm" aria-label={label}>
        {entries.map(({ text, key }) => (
          <List.Item key={key} style={{ overflowWrap: 'anywhere' }}>
            <span dir="auto">{text}</span>
          </List.Item>
        ))}
      </List>
      {count > texts.length && (
        <Text size="sm" c="dimmed">
          and {formatCount(count - texts.length)} more
        </Text>
      )}
    </>
  );
}
