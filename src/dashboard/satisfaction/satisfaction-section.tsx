import { SimpleGrid, Skeleton, Stack, Title } from '@mantine/core';
import { useQuery } from 'urql';
import { LoadFailure } from '../components/error-messages.tsx';
import { formatCount, formatPercent } from '../format/format-numbers.ts';
import { useProject } from '../project/project.tsx';
import { StatCard } from '../usage/stat-card.tsx';
import { RatingList } from './rating-list.tsx';
import { type SatisfactionFigures, satisfactionQuery } from './satisfaction-operations.ts';

/** Shows how satisfied end users were with the agents of this project since `from`, and the latest ratings. */
export function SatisfactionSection({ from }: { readonly from: string }) {
  const { id: projectId, organizationId } = useProject();
  const [{ data, error }, reload] = useQuery({
    query: satisfactionQuery,
    variables: { organizationId, projectId, from },
    requestPolicy: 'cache-and-network',
  });
  return (
    <Stack component="section" aria-labelledby="satisfaction">
      <Title order={2} size="h4" id="satisfaction">
        Satisfaction with agents
      </Title>
      {error !== undefined ? (
        <LoadFailure error={error} onRetry={() => reload({ requestPolicy: 'network-only' })} />
      ) : data === undefined ? (
        <Skeleton h={120} aria-label="Loading" />
      ) : (
        <Figures figures={data.satisfaction} />
      )}
      <RatingList />
    </Stack>
  );
}

function Figures({
  figures: { asked, ratings, satisfied, distribution },
}: {
  readonly figures: SatisfactionFigures;
}) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <StatCard label="Satisfied" value={ratings === 0 ? '–' : formatPercent(satisfied / ratings)}>
        share of ratings of 4 and 5, in this period
      </StatCard>
      <StatCard label="Ratings" value={formatCount(ratings)}>
        {asked === 0
          ? 'of end users whose handoff an agent resolved'
          : `of ${formatCount(asked)} end users who were asked`}
      </StatCard>
      <StatCard label="From 5 to 1" value={distribution.toReversed().map(formatCount).join(' · ')}>
        number of ratings: very satisfied to very dissatisfied
      </StatCard>
    </SimpleGrid>
  );
}
