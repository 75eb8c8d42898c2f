import { Mark, Text } from '@mantine/core';

/** A text with some of its parts marked, which are told in code points. Nothing in it becomes markup. */
export function MarkedText({
  text,
  matches,
}: {
  readonly text: string;
  readonly matches: readonly { readonly start: number; readonly end: number }[];
}) {
  const letters = [...text];
  const cut = (start: number, end?: number) => letters.slice(start, end).join('');
  return (
    <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {matches.map(({ start, end }, index) => [
        cut(matches[index - 1]?.end ?? 0, start),
        <Mark key={start}>{cut(start, end)}</Mark>,
      ])}
      {cut(matches.at(-1)?.end ?? 0)}
    </Text>
  );
}
