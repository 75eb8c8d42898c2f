import { Alert, List } from '@mantine/core';

/** What is wrong in a file that was not imported. */
export function ImportProblems({ problems }: { readonly problems: readonly string[] }) {
  return (
    <Alert color="red" role="alert" title="Nothing was imported">
      <List size="sm" aria-label="Problems">
        {problems.map((problem) => (
          <List.Item key={problem} style={{ overflowWrap: 'anywhere' }}>
            {problem}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
