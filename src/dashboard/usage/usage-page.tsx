import { Card, Grid, Progress, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from 'urql';
import { graphql } from '../graphql/graphql.ts';
import { LoadFailure } from '../shell/failure.tsx';
import { Page } from '../shell/page.tsx';
import { useProject } from '../shell/project.tsx';
import { saySize } from '../shell/say-size.ts';
import { UsageCharts } from './usage-charts.tsx';

const usageQuery = graphql(`
  query Usage($organizationId: ID!) {
    usage(organizationId: $organizationId) {
      plan
      period {
        start
        end
      }
      messages {
        used
        limit
      }
      storage {
        usedBytes
        limitBytes
      }
      tokens {
        input
        output
        embedding
        total
      }
    }
    usageByDay(organizationId: $organizationId) {
      day
      messages
      storedBytes
      tokens {
        total
      }
    }
  }
`);

const counted = new Intl.NumberFormat('en');
const date = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

/** What the organization used in this month, against its limits, and day by day. */
export function UsagePage() {
  const { organizationId } = useProject();
  const [{ data, error }, reload] = useQuery({
    query: usageQuery,
    variables: { organizationId },
    requestPolicy: 'cache-and-network',
  });
  if (data === undefined) {
    return (
      <Page title="Usage">
        {error === undefined ? (
          <Skeleton h={320} aria-label="Loading" />
        ) : (
          <LoadFailure error={error} onRetry={reload} />
        )}
      </Page>
    );
  }
  const { plan, period, messages, storage, tokens } = data.usage;
  return (
    <Page title="Usage">
      <Text c="dimmed">
        Plan {plan} · since {date.format(new Date(period.start))}, until{' '}
        {date.format(new Date(period.end))} (UTC)
      </Text>
      <Grid>
        <Measure
          label="Messages"
          used={messages.used}
          limit={messages.limit}
          say={counted.format}
        />
        <Measure
          label="Storage"
          used={storage.usedBytes}
          limit={storage.limitBytes}
          say={saySize}
        />
        <Measure label="Tokens" used={tokens.total} limit={null} say={counted.format}>
          {counted.format(tokens.input)} in, {counted.format(tokens.output)} out,{' '}
          {counted.format(tokens.embedding)} for embeddings
        </Measure>
      </Grid>
      <UsageCharts
        days={data.usageByDay.map(({ day, messages, storedBytes, tokens }) => ({
          day: day.slice(0, 10),
          messages,
          storedBytes,
          tokens: tokens.total,
        }))}
      />
    </Page>
  );
}

function Measure({
  label,
  used,
  limit,
  say,
  children,
}: {
  readonly label: string;
  readonly used: number;
  /** Null: unlimited. */
  readonly limit: number | null;
  readonly say: (value: number) => string;
  readonly children?: React.ReactNode;
}) {
  const share = limit === null || limit === 0 ? 0 : used / limit;
  return (
    <Grid.Col span={{ base: 12, sm: 4 }}>
      <Card withBorder padding="md" h="100%">
        <Stack gap="xs">
          <Title order={2} size="h5">
            {label}
          </Title>
          <Text size="xl" fw={700}>
            {say(used)}
            <Text span c="dimmed" size="md" fw={400}>
              {limit === null ? ' · unlimited' : ` of ${say(limit)}`}
            </Text>
          </Text>
          {limit !== null && (
            <Progress
              value={Math.min(100, share * 100)}
              color={share >= 0.9 ? 'red' : share >= 0.7 ? 'yellow' : undefined}
              aria-label={`${label} used`}
            />
          )}
          {children !== undefined && (
            <Text size="sm" c="dimmed">
              {children}
            </Text>
          )}
        </Stack>
      </Card>
    </Grid.Col>
  );
}
