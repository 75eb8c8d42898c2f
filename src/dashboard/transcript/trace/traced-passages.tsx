import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import classes from '../../components/chart.module.css';
import { formatCountOf, formatPercent } from '../../format/format-numbers.ts';
import { readerPathOf } from '../../knowledge/reader/reader-path.ts';
import { useProject } from '../../project/project.tsx';
import type { Hit } from './trace-query.ts';
import { describeUnused } from './trace-texts.ts';

/** The passages that the search found: those that the model received, and the others with the reason. */
export function TracedPassages({ hits }: { readonly hits: readonly Hit[] }) {
  const used = hits.filter((hit) => hit.used);
  const unused = hits.filter((hit) => !hit.used);
  return (
    <>
      {used.length === 0 ? (
        <Text size="sm">The model received none.</Text>
      ) : (
        <Passages label="Passages that the model received" hits={used} />
      )}
      {unused.length > 0 && (
        <details open={used.length === 0}>
          <summary className={classes.summary}>
            {formatCountOf(unused.length, 'passage')} not used
          </summary>
          <Passages label="Passages that were not used" hits={unused} />
        </details>
      )}
    </>
  );
}

function Passages({ label, hits }: { readonly label: string; readonly hits: readonly Hit[] }) {
  const { id: projectId } = useProject();
  return (
    <Stack component="ol" gap={4} m={0} p={0} aria-label={label}>
      {hits.map((hit) => {
        const unused = describeUnused(hit);
        return (
          <Text
            component="li"
            key={hit.chunkId}
            size="sm"
            style={{ listStyle: 'none', overflowWrap: 'anywhere' }}
          >
            {hit.documentName === null ? (
              'A document that was deleted'
            ) : (
              <Anchor
                component={Link}
                href={readerPathOf(projectId, hit)}
                size="sm"
                underline="always"
              >
                {hit.documentName}
              </Anchor>
            )}{' '}
            <Text span size="xs" c="dimmed">
              relevance {formatPercent(hit.score)}
              {unused !== null && `, ${unused}`}
            </Text>
          </Text>
        );
      })}
    </Stack>
  );
}
