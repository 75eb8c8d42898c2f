import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useQuery } from 'urql';
import { LoadFailure } from '../../components/error-messages.tsx';
import { useFreshQuery } from '../../graphql/use-fresh-query.ts';
import { useProject } from '../../project/project.tsx';
import { usePermissions } from '../../project/use-permissions.ts';
import { ImportPricesModal } from './import-prices-modal.tsx';
import { PriceModal, type PriceValues } from './price-modal.tsx';
import {
  type PriceKind,
  pricesQuery,
  type UsedModel,
  usedModelsQuery,
} from './price-operations.ts';
import { PriceTable } from './price-table.tsx';
import { isBuiltIn } from './price-texts.ts';

/** The prices of models. Everyone reads them, owners and admins change them. */
export function PriceSection({ onChange }: { readonly onChange: () => void }) {
  const { id: projectId, organizationId } = useProject();
  const { canManage } = usePermissions();
  const { data, error, reload } = useFreshQuery(pricesQuery, { organizationId });
  const prices = data?.modelPrices ?? [];
  const [usage, reloadUsage] = useQuery({
    query: usedModelsQuery,
    variables: { projectId },
    pause: prices.length === 0,
    requestPolicy: 'cache-and-network',
  });
  const used = usage.data?.analytics.cost?.models ?? [];
  const [edited, setEdited] = useState<Partial<PriceValues> | null>(null);
  const [isImporting, importing] = useDisclosure(false);
  const changed = () => {
    reload();
    if (prices.length > 0) reloadUsage({ requestPolicy: 'network-only' });
    onChange();
  };
  return (
    <Stack component="section" aria-labelledby="prices">
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={2} size="h4" id="prices">
            Prices
          </Title>
          <Text size="sm" c="dimmed" maw={640}>
            {prices.length === 0
              ? 'With the prices of your models, the service shows what answers, projects and the organization cost.'
              : 'A price applies from its first day (UTC) until the day of the next one, also to tokens that were used before you entered it.'}
            {!canManage && ' Owners and admins change the prices.'}
          </Text>
        </div>
        {canManage && data !== undefined && (
          <Group gap="xs">
            <Button variant="default" onClick={importing.open}>
              Import prices
            </Button>
            <Button onClick={() => setEdited({})}>Add a price</Button>
          </Group>
        )}
      </Group>
      {error !== undefined && <LoadFailure error={error} onRetry={reload} />}
      {data === undefined && error === undefined && <Skeleton h={120} aria-label="Loading" />}
      {prices.length > 0 && (
        <>
          <PriceTable prices={prices} onEdit={setEdited} onChange={changed} />
          <UnpricedModels models={used} onAdd={canManage ? setEdited : null} />
        </>
      )}
      {edited !== null && (
        <PriceModal
          initial={edited}
          currency={prices[0]?.currency ?? null}
          used={used}
          onClose={() => setEdited(null)}
          onChange={changed}
        />
      )}
      <ImportPricesModal opened={isImporting} onClose={importing.close} onChange={changed} />
    </Stack>
  );
}

/** Models that the sentence names. */
const maxNamed = 3;

function UnpricedModels({
  models,
  onAdd,
}: {
  readonly models: readonly UsedModel[];
  /** Null if the operator must not add prices. */
  readonly onAdd: ((values: { model: string; kind: PriceKind }) => void) | null;
}) {
  const unpriced = models.filter(({ model, cost }) => cost === null && !isBuiltIn(model));
  const [first] = unpriced;
  if (first === undefined) return null;
  const names = [...new Set(unpriced.map(({ model }) => model))];
  const more = names.length - maxNamed;
  return (
    <Group gap="xs">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        Without a price, though used by this project in the last 30 days:{' '}
        {names.slice(0, maxNamed).join(', ')}
        {more > 0 && ` and ${more} more`}.
      </Text>
      {onAdd !== null && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Add a price of ${first.model}`}
          onClick={() => onAdd({ model: first.model, kind: first.kind })}
        >
          Add a price
        </Button>
      )}
    </Group>
  );
}
