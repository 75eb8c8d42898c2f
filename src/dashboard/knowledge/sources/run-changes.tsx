import { Button, Collapse, List, Text } from '@mantine/core';
import { useDisclosure, useId } from '@mantine/hooks';
import type { ResultOf } from 'gql.tada';
import { formatCount } from '../../format/format-numbers.ts';
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
          <ChangedDocuments key={name} label={label} names={run.changes[name]} count={run[name]} />
        ))}
      </Collapse>
    </>
  );
}

function ChangedDocuments({
  label,
  names,
  count,
}: {
  readonly label: string;
  readonly names: readonly string[];
  readonly count: number;
}) {
  // Two documents may have the same name, and a list of a run never changes its order.
  const entries = names.map((name, index) => ({ name, key: `${index} ${name}` }));
  return (
    <>
      <Text size="sm" fw={600} mt={4}>
        {label}
      </Text>
      <List size="sm" aria-label={label}>
        {entries.map(({ name, key }) => (
          <List.Item key={key} style={{ overflowWrap: 'anywhere' }}>
            <span dir="auto">{name}</span>
          </List.Item>
        ))}
      </List>
      {count > names.length && (
        <Text size="sm" c="dimmed">
          and {formatCount(count - names.length)} more
        </Text>
      )}
    </>
  );
}
