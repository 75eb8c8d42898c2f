import { Button, Group, Loader, Paper, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { errorMessageOf } from '../components/error-messages.tsx';
import { Citations, CitedText } from '../transcript/citations.tsx';
import { ConfidenceBadge } from '../transcript/confidence-badge.tsx';
import { type Source, SourceDrawer } from '../transcript/source-drawer.tsx';
import classes from './inbox.module.css';
import type { Suggestion } from './use-reply-suggestion.ts';

/** The suggested reply above the reply field. It is never sent: `onInsert` puts its text into the field. */
export function ReplySuggestion({
  suggestion,
  onInsert,
  onClose,
  onRetry,
}: {
  readonly suggestion: Suggestion;
  readonly onInsert: (text: string) => void;
  readonly onClose: () => void;
  readonly onRetry: () => void;
}) {
  const [source, setSource] = useState<Source | null>(null);
  const isDrafted = suggestion.type === 'drafted';
  return (
    <>
      {suggestion.type === 'none' ? (
        <div role="status" />
      ) : (
        <Paper
          component="section"
          aria-label="Suggested reply"
          withBorder
          p="xs"
          mb="xs"
          className={classes.suggestion}
        >
          <Group justify="space-between" gap="xs">
            <Group gap="xs" role="status">
              <State suggestion={suggestion} />
            </Group>
            <Group gap="xs">
              {isDrafted && (
                <Button size="xs" onClick={() => onInsert(suggestion.draft.text)}>
                  Insert
                </Button>
              )}
              {suggestion.type === 'failed' && (
                <Button size="xs" variant="default" onClick={onRetry}>
                  Try again
                </Button>
              )}
              <Button size="xs" variant="default" onClick={onClose}>
                {suggestion.type === 'loading' ? 'Cancel' : 'Dismiss'}
              </Button>
            </Group>
          </Group>
          {isDrafted && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
            <div className={classes.draft} tabIndex={0}>
              <Stack gap={6}>
                <CitedText {...suggestion.draft} onOpen={setSource} />
                <Citations citations={suggestion.draft.citations} onOpen={setSource} />
              </Stack>
            </div>
          )}
        </Paper>
      )}
      <SourceDrawer source={source} onClose={() => setSource(null)} />
    </>
  );
}

function State({ suggestion }: { readonly suggestion: Suggestion }): ReactNode {
  switch (suggestion.type) {
    case 'none':
      return null;
    case 'loading':
      return (
        <>
          <Loader size="xs" aria-hidden />
          <Text size="sm">Looking for an answer in the documents…</Text>
        </>
      );
    case 'drafted':
      return (
        <>
          <Text size="sm" fw={600}>
            Suggested reply
          </Text>
          <ConfidenceBadge value={suggestion.draft.confidence} />
        </>
      );
    case 'nothing':
      return <Text size="sm">Nothing in the documents answers this</Text>;
    case 'no-question':
      return <Text size="sm">The new messages contain no question</Text>;
    case 'failed':
      return <Text size="sm">No suggestion: {errorMessageOf(suggestion.error)}</Text>;
  }
}
