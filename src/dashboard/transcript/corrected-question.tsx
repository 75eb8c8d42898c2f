import { Text } from '@mantine/core';

/** Says which question was searched instead of one with misspelled words. */
export function CorrectedQuestion({ text }: { readonly text: string }) {
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      Results for “{text}”
    </Text>
  );
}
