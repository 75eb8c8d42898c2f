import { Mark, Text } from '@mantine/core';

/**
 * A text with highlighted matches. The offsets of the matches count Unicode code points. The text is never parsed as
 * markup.
 */
export function HighlightedText({
  text,
  matches,
}: {
  readonly text: string;
  readonly matches: readonly { readonly start: number; readonly end: number }[];
}) {
  const codePoints = [...text];
  const slice = (start: number, end?: number) => codePoints.slice(start, end).join('');
  return (
    <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {matches.map(({ start, end }, index) => [
        slice(matches[index - 1]?.end ?? 0, start),
        <Mark key={start}>{slice(start, end)}</Mark>,
      ])}
      {slice(matches.at(-1)?.end ?? 0)}
    </Text>
  );
}
