import { Button, Collapse } from '@mantine/core';
import { useDisclosure, useId } from '@mantine/hooks';
import type { ResultOf } from 'gql.tada';
import { RunEntries } from './run-entries.tsx';
import type { sourceRunsQuery } from './source-operations.ts';

type Run = ResultOf<typeof sourceRunsQuery>['sourceRunPage']['data'][number];

const kinds = [
  { name: 'added', label: 'Added' },
  { name: 'changed', label: 'Changed' },
  { name: 'removed', label: 'Removed' },
] as const;

/** The names of the documents that a run has changed, folded. Renders nothing for a run without names. */
export function RunChanges({ run }: { readonly run: Run }) {
  const [isOpen, fold] = useDisclosure(false);
  const id = useId();
  const shown = kinds.filter(({ name }) => run.changes[name].length > 0);
  if (shown.length === 0) return null;
  return (
    <>
      <Button
        size="compact-xs"
        variant="subtle"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={fold.toggle}
      >
        {isOpen ? 'Hide documents' : 'Show documents'}
      </Button>
      <Collapse expanded={isOpen} id={id}>
        {shown.map(({ name, label }) => (
          <RunEntries key={name} label={label} texts={run.changes[name]} count={run[name]} />
        ))}
      </Collapse>
    </>
  );
}
