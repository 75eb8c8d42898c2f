import { Anchor, Badge, Code, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import { LoadFailure } from '../../components/error-messages.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Row, RowList } from '../../components/row-list.tsx';
import { formatDuration } from '../../format/format-duration.ts';
import { useFreshQuery } from '../../graphql/use-fresh-query.ts';
import { useProject } from '../../project/project.tsx';
import { type Model, modelsQuery } from './model-operations.ts';
import { modelTexts } from './model-texts.ts';

/** The models of the installation: whether they work, what they can do, and how to change them. */
export function Models() {
  const { id: projectId } = useProject();
  const { data, error, reload } = useFreshQuery(modelsQuery, { projectId });
  if (data === undefined) {
    return error === undefined ? (
      <Skeleton h={480} maw={720} aria-label="Loading" />
    ) : (
      <LoadFailure error={error} onRetry={reload} />
    );
  }
  return (
    <Stack maw={720}>
      <Text size="sm" c="dimmed">
        All projects of this installation share the models. The person who runs the server changes
        them with variables, as the guide to{' '}
        <Anchor href="/docs/reference/model-servers" target="_blank" inherit underline="always">
          model servers
        </Anchor>{' '}
        explains. Parameters of this project are in{' '}
        <Anchor component={Link} href={`/${projectId}/settings/answers`} inherit underline="always">
          Answers
        </Anchor>
        .
      </Text>
      <RowList label="Models">
        {data.installedModels.map((model) => (
          <ModelRow key={model.kind} model={model} />
        ))}
      </RowList>
    </Stack>
  );
}

function ModelRow({ model }: { readonly model: Model }) {
  const { title, ability, variables } = modelTexts(model);
  return (
    <Row>
      <Stack gap={4}>
        <Group gap="xs">
          <Title order={2} size="h5">
            {title}
          </Title>
          <Health model={model} />
        </Group>
        <Text size="sm">
          {model.name === null
            ? 'None'
            : `${model.name}, ${model.host === null ? 'in the process of the service' : `at ${model.host}`}`}
        </Text>
        <Text size="sm" c="dimmed">
          {ability}
        </Text>
        <LatestCalls model={model} />
        {variables.length > 0 && (
          <Text size="sm" c="dimmed">
            Change it with{' '}
            {variables.map((name) => (
              <Code key={name} mr={4}>
                {name}
              </Code>
            ))}
          </Text>
        )}
      </Stack>
    </Row>
  );
}

function Health({ model: { name, isHealthy } }: { readonly model: Model }) {
  if (name === null || isHealthy === null) return null;
  return (
    <Badge variant="light" tt="none" color={isHealthy ? 'green' : 'red'}>
      {isHealthy ? 'Works' : 'Failed'}
    </Badge>
  );
}

function LatestCalls({
  model: { kind, name, isHealthy, lastSucceededAt, lastFailedAt, medianMs },
}: {
  readonly model: Model;
}) {
  if (name === null || kind === 'OCR') return null;
  if (isHealthy === null) return <Text size="sm">No call since the start of the process.</Text>;
  return (
    <Text size="sm" component="div">
      {lastSucceededAt !== null && (
        <>
          Last success <RelativeTime at={lastSucceededAt} />.{' '}
        </>
      )}
      {lastFailedAt !== null && (
        <>
          Last failure <RelativeTime at={lastFailedAt} />.{' '}
        </>
      )}
      {medianMs !== null && `Median duration ${formatDuration(medianMs)}.`}
    </Text>
  );
}
