import { defineJob, noPayload, scheduledQueue } from '../../platform/jobs/job.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { type Adapters, type Context, createSystemContext, transaction } from '../context.ts';
import { currentMonthSql } from '../usage/usage-sql.ts';
import { publishWebhookEvent } from '../webhooks/publish-webhook-event.ts';
import { budgetMail, type ExceededBudget } from './budget-mail.ts';
import { amountSql, currencySql } from './cost.ts';

export const checkBudgetsJob = defineJob({
  name: 'check-budgets',
  payload: noPayload,
  queue: scheduledQueue,
  schedule: '*/15 * * * *',
  concurrency: 1,
  run: (adapters: Adapters, _payload, { signal }) => checkBudgets(adapters, signal),
});

/**
 * Sends a warning for each project that has used its budget of the month (UTC), or the share of it at which the team
 * wants to be warned: the webhook event `budget.warning`, and e-mails to owners and admins. Each warning is sent once a
 * month. Nothing else happens: the project continues to answer.
 */
export async function checkBudgets(adapters: Adapters, signal: AbortSignal): Promise<void> {
  const context = createSystemContext(adapters, signal);
  await runSql(context.db, removeOldWarnings, []);
  for (const exceeded of await runSql<ExceededBudget>(context.db, exceededBudgets, [])) {
    signal.throwIfAborted();
    const isNew = await transaction(context, (context) => publishWarning(context, exceeded));
    if (isNew) await mailWarning(context, exceeded);
  }
}

/** Returns false if another process has published the warning. */
async function publishWarning(context: Context, exceeded: ExceededBudget): Promise<boolean> {
  const { projectName: _, ...data } = exceeded;
  const { projectId, month, percent } = exceeded;
  const inserted = await runSql(context.db, insertWarning, [projectId, `${month}-01`, percent]);
  if (inserted.length === 0) return false;
  await publishWebhookEvent(context, { projectId, type: 'budget.warning', data });
  return true;
}

const insertWarning = `
  insert into grounded.budget_warnings (project_id, starts_on, percent)
  select id, $2::date, $3::integer from grounded.projects where id = $1::uuid
  on conflict do nothing returning percent`;

const removeOldWarnings = `delete from grounded.budget_warnings where starts_on < ${currentMonthSql}`;

/** Maximum number of owners and admins who get an e-mail. */
const maxRecipients = 20;

/** The warning is already stored, so an e-mail that fails is not sent again. */
async function mailWarning(context: Context, exceeded: ExceededBudget): Promise<void> {
  const { mailer, publicUrl, db, log, signal } = context;
  if (mailer === null || publicUrl === null) return;
  const { organizationId, projectId } = exceeded;
  const admins = await db.member.findMany({
    where: { organizationId, role: { in: ['OWNER', 'ADMIN'] }, invitationExpiresAt: null },
    orderBy: { id: 'asc' },
    take: maxRecipients,
    select: { email: true },
  });
  for (const { email } of admins) {
    signal.throwIfAborted();
    try {
      await mailer.send(budgetMail({ to: email, publicUrl, ...exceeded }));
    } catch (error) {
      log.warn({ err: error, projectId }, 'the warning of a budget was not sent by e-mail');
    }
  }
}

const exceededBudgets = `
  select project.organization_id as "organizationId", project.id as "projectId", project.name as "projectName",
    to_char(${currentMonthSql}, 'YYYY-MM') as month, mark.percent,
    ${amountSql('used.amount')} as spent, ${amountSql('project.budget_monthly_amount::numeric')} as budget, price.currency
  from grounded.projects project
    cross join lateral ${currencySql('project.organization_id')} price
    cross join lateral (
      select sum(sums.tokens * grounded.price_on(project.organization_id, sums.model, sums.kind, sums.day)) * 0.000001
        as amount
      from (
        select token.model, token.kind, token.day, token.tokens from grounded.token_days token
        where token.project_id = project.id and token.organization_id = project.organization_id
          and token.day >= ${currentMonthSql}
      ) sums
    ) used
    cross join lateral (select project.budget_warn_at_percent union select 100) mark (percent)
  where project.budget_monthly_amount is not null
    and used.amount >= project.budget_monthly_amount::numeric * mark.percent / 100
    and not exists (
      select from grounded.budget_warnings warning
      where warning.project_id = project.id and warning.starts_on = ${currentMonthSql}
        and warning.percent = mark.percent)
  order by project.id, mark.percent`;
