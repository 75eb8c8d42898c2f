import { Skeleton } from '@mantine/core';
import type { CombinedError } from 'urql';
import { EmptyState } from '../components/empty-state.tsx';
import { LoadFailure } from '../components/error-messages.tsx';
import { isNotFound } from '../graphql/is-not-found.ts';

/** Shown instead of a set or run that is loading, could not be loaded, or does not exist. */
export function DetailPlaceholder({
  what,
  error,
  onRetry,
}: {
  /** For example "Run". */
  readonly what: string;
  readonly error: CombinedError | undefined;
  readonly onRetry: () => void;
}) {
  if (error === undefined) return <Skeleton h={320} aria-label="Loading" />;
  if (isNotFound(error)) {
    return (
      <EmptyState
        title={`${what} not found`}
        text="It was deleted, or it belongs to another project."
      />
    );
  }
  return <LoadFailure error={error} onRetry={onRetry} />;
}
