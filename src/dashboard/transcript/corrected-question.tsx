import { Text } from '@mantine/core';

/** Shows the question with corrected spelling, which was used for the search. */
export function CorrectedQuestion({ text }: { readonly text: string }) {
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      Results for “{text}”
    </Text>
  );
}
