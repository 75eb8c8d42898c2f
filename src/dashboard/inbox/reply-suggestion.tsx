import { Button, Group, Loader, Paper, Stack, Text } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconX } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { errorMessageOf } from '../components/error-messages.tsx';
import { IconButton } from '../components/icon-button.tsx';
import { Citations, CitedText } from '../transcript/citations.tsx';
import { ConfidenceBadge } from '../transcript/confidence-badge.tsx';
import { type Source, SourceDrawer } from '../transcript/source-drawer.tsx';
import classes from './inbox.module.css';
import type { Suggestion } from './use-reply-suggestion.ts';

/**
 * The suggested reply above the reply field: one line, which unfolds to the whole text and its sources. It is never
 * sent: `onInsert` puts its text into the field.
 */
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
  const [isUnfolded, unfold] = useState(false);
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
          p={4}
          mb="xs"
          className={classes.suggestion}
        >
          <div className={classes.bar}>
            {isDrafted && (
              <UnfoldButton isUnfolded={isUnfolded} onClick={() => unfold(!isUnfolded)} />
            )}
            <Group gap="xs" role="status" wrap="nowrap" flex={1} miw={0}>
              <State suggestion={suggestion} isUnfolded={isUnfolded} />
            </Group>
            {isDrafted && (
              <Button size="compact-xs" onClick={() => onInsert(suggestion.draft.text)}>
                Insert
              </Button>
            )}
            {suggestion.type === 'failed' && (
              <Button size="compact-xs" variant="default" onClick={onRetry}>
                Try again
              </Button>
            )}
            <IconButton
              label={suggestion.type === 'loading' ? 'Cancel' : 'Dismiss'}
              size="sm"
              onClick={onClose}
            >
              <IconX size={16} aria-hidden />
            </IconButton>
          </div>
          {isDrafted && isUnfolded && (
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

function UnfoldButton({
  isUnfolded,
  onClick,
}: {
  readonly isUnfolded: boolean;
  readonly onClick: () => void;
}) {
  const Icon = isUnfolded ? IconChevronDown : IconChevronRight;
  return (
    <IconButton
      label="Whole suggestion and sources"
      size="sm"
      aria-expanded={isUnfolded}
      onClick={onClick}
    >
      <Icon size={16} aria-hidden />
    </IconButton>
  );
}

function State({
  suggestion,
  isUnfolded,
}: {
  readonly suggestion: Suggestion;
  readonly isUnfolded: boolean;
}): ReactNode {
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
          <div className={classes.confidence}>
            <ConfidenceBadge value={suggestion.draft.confidence} />
          </div>
          <Text size="sm" truncate dir="auto">
            {isUnfolded ? 'Suggested reply' : suggestion.draft.text}
          </Text>
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
