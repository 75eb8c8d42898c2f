import type { Mail } from '../../platform/mail/mailer.ts';
import { linkMail, toPlainName } from '../organizations/link-mail.ts';

/** A budget of which a project has used a share for which no warning was sent this month. */
export interface ExceededBudget {
  readonly organizationId: string;
  readonly projectId: string;
  readonly projectName: string;
  /** The month, UTC, such as `2026-11`. */
  readonly month: string;
  /** The share of the budget, such as 80 or 100. */
  readonly percent: number;
  /** Amounts with 6 decimals. */
  readonly spent: string;
  readonly budget: string;
  readonly currency: string;
}

/** Returns the e-mail that warns of a budget. */
export function budgetMail({
  to,
  publicUrl,
  projectId,
  percent,
  spent,
  budget,
  currency,
  month,
  ...rest
}: ExceededBudget & { readonly to: string; readonly publicUrl: string }): Mail {
  const project = toPlainName(rest.projectName, 'a project');
  return linkMail({
    to,
    subject: `${percent} % of the budget of ${project} is used`,
    reason: `The project “${project}” has used ${toCents(spent)} of its budget of ${toCents(budget)} ${currency} for ${month} (UTC).`,
    action: 'See what it was used for',
    link: `${publicUrl}/dashboard/${projectId}/analytics`,
    notes: ['The assistant continues to answer. This warning is sent once a month.'],
  });
}

/** Returns an amount with 6 decimals with 2 decimals. */
function toCents(amount: string): string {
  return Number(amount).toFixed(2);
}
