import { Anchor, Button, Group, NumberInput, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link } from 'wouter';
import { confirmAction } from '../components/confirm-action.tsx';
import { FailureText, LoadFailure, notifySuccess } from '../components/error-messages.tsx';
import { showFieldErrors } from '../components/field-errors.ts';
import { useUnsavedChanges } from '../components/unsaved-changes.tsx';
import { formatPrice } from '../format/format-amount.ts';
import { useFreshQuery } from '../graphql/use-fresh-query.ts';
import { useProject } from '../project/project.tsx';
import { useNotifyingMutation } from '../project/use-notifying-mutation.ts';
import { usePermissions } from '../project/use-permissions.ts';
import { type Budget, budgetQuery, updateProjectMutation } from './project-operations.ts';

/** What the project may cost in a month. Owners and admins change it. */
export function BudgetSettings() {
  const { id: projectId, organizationId } = useProject();
  const { canManage } = usePermissions();
  const { data, error, reload } = useFreshQuery(budgetQuery, { projectId, organizationId });
  const budget = data?.project?.budget ?? null;
  const currency = data?.modelPrices[0]?.currency;
  return (
    <Stack component="section" gap="xs" aria-labelledby="budget">
      <Title order={2} size="h5" id="budget">
        Budget
      </Title>
      {error !== undefined && <LoadFailure error={error} onRetry={reload} />}
      {data === undefined && error === undefined && <Skeleton h={120} aria-label="Loading" />}
      {data !== undefined && (
        <>
          {currency === undefined && <WithoutPrices />}
          {currency !== undefined && !canManage && (
            <Text size="sm">
              {budget === null ? 'No budget. ' : `${describe(budget, currency)}. `}
              Owners and admins change it.
            </Text>
          )}
          {canManage && (currency !== undefined || budget !== null) && (
            <BudgetForm
              key={JSON.stringify(budget)}
              budget={budget}
              currency={currency ?? null}
              onChange={reload}
            />
          )}
        </>
      )}
    </Stack>
  );
}

function describe({ monthlyAmount, warnAtPercent }: Budget, currency: string): string {
  return `${formatPrice(monthlyAmount, currency)} per month, with a warning at ${warnAtPercent}\u00a0%`;
}

function WithoutPrices() {
  const { id: projectId } = useProject();
  return (
    <Text size="sm">
      A budget needs the prices of your models, which are on{' '}
      <Anchor component={Link} href={`/${projectId}/usage`} inherit underline="always">
        Usage
      </Anchor>
      .
    </Text>
  );
}

/** The form reloads after each change, because another budget gives it another key. */
function BudgetForm({
  budget,
  currency,
  onChange,
}: {
  readonly budget: Budget | null;
  /** Null without prices. Then the budget can be removed only. */
  readonly currency: string | null;
  readonly onChange: () => void;
}) {
  const { id } = useProject();
  const update = useNotifyingMutation(updateProjectMutation, 'The budget was not saved');
  const form = useForm({
    initialValues: {
      monthlyAmount: budget?.monthlyAmount ?? ('' as number | ''),
      warnAtPercent: budget?.warnAtPercent ?? (80 as number | ''),
    },
    validate: {
      monthlyAmount: (amount) => (amount === '' ? 'Enter an amount' : null),
      warnAtPercent: (percent) => (percent === '' ? 'Enter a percentage' : null),
    },
  });
  useUnsavedChanges(form.isDirty());
  const save = async (budget: Budget | null) => {
    const saved = await update.run({ input: { id, budget } }, (messages) =>
      showFieldErrors(form, messages, {
        'budget.monthlyAmount': 'monthlyAmount',
        'budget.warnAtPercent': 'warnAtPercent',
      }),
    );
    if (saved === null) return;
    form.resetDirty();
    notifySuccess(budget === null ? 'The budget was removed' : 'Saved');
    onChange();
  };
  const submit = form.onSubmit(({ monthlyAmount, warnAtPercent }) =>
    save({ monthlyAmount: Number(monthlyAmount), warnAtPercent: Number(warnAtPercent) }),
  );
  const remove = () =>
    confirmAction({
      title: 'Remove the budget?',
      text: 'The service no longer warns about the cost of this project.',
      confirm: 'Remove',
      onConfirm: () => save(null),
    });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          At the percentage and at 100 %, the service sends the webhook budget.warning, and an
          e-mail to owners and admins if it can send e-mails. Nothing stops. Months are UTC.
        </Text>
        <Group align="flex-start">
          <NumberInput
            label="Amount per month"
            min={0.01}
            max={1_000_000_000}
            decimalScale={2}
            suffix={currency === null ? '' : ` ${currency}`}
            clampBehavior="none"
            hideControls
            withAsterisk
            readOnly={currency === null}
            flex="1 1 12rem"
            {...form.getInputProps('monthlyAmount')}
          />
          <NumberInput
            label="Warn at"
            min={1}
            max={100}
            suffix=" %"
            allowDecimal={false}
            clampBehavior="strict"
            withAsterisk
            readOnly={currency === null}
            flex="1 1 8rem"
            {...form.getInputProps('warnAtPercent')}
          />
        </Group>
        <Group>
          {currency !== null && (
            <Button type="submit" loading={update.isRunning} disabled={!form.isDirty()}>
              Save the budget
            </Button>
          )}
          {budget !== null && (
            <Button variant="default" disabled={update.isRunning} onClick={remove}>
              Remove the budget
            </Button>
          )}
          <FailureText failure={update.failure} />
        </Group>
      </Stack>
    </form>
  );
}
