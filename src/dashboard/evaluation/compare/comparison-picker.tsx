import { Select } from '@mantine/core';
import { useLocation } from 'wouter';
import { useFreshQuery } from '../../graphql/use-fresh-query.ts';
import { useProject } from '../../project/project.tsx';
import { evaluationPaths } from '../evaluation-paths.ts';
import { describeCandidate, runName } from '../runs/describe-run.ts';
import { type Run, runsOfSetQuery } from '../runs/run-operations.ts';

/** Chooses another run of the set to compare with. Disabled if there is none. */
export function ComparisonPicker({ run }: { readonly run: Run }) {
  const { id: projectId } = useProject();
  const [, navigate] = useLocation();
  const { data } = useFreshQuery(runsOfSetQuery, { setId: run.setId, projectId });
  const others =
    data?.evaluationRunPage.data.filter(({ id, status }) => id !== run.id && status === 'DONE') ??
    [];
  const open = (otherId: string | null) => {
    const other = others.find(({ id }) => id === otherId);
    if (other === undefined) return;
    const isOlder = other.createdAt < run.createdAt;
    const [before, after] = isOlder ? [other, run] : [run, other];
    navigate(evaluationPaths(projectId).comparison(before.id, after.id));
  };
  return (
    <Select
      label="Compare with another run of this set"
      placeholder={others.length === 0 ? 'No other run of this set is done' : 'Choose a run'}
      disabled={others.length === 0}
      maw={420}
      data={others.map((other) => ({
        value: other.id,
        label: `${runName(other)}, ${describeCandidate(other)}`,
      }))}
      value={null}
      onChange={open}
    />
  );
}
