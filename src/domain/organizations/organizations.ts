import { DomainError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { recordAuditEntry } from '../audit/record-audit-entry.ts';
import { type Context, transaction } from '../context.ts';
import { requirePermission } from '../permissions.ts';
import { defaultQuestionLimit } from './question-limit.ts';
import { type Organization, requireOrganization } from './require-organization.ts';

export interface OrganizationLimits {
  readonly monthlyMessages?: number | null;
  readonly monthlyEvaluatedQuestions?: number | null;
  readonly monthlyJudgedQuestions?: number | null;
  readonly maxUploadBytes?: number | null;
  readonly storageBytes?: number | null;
  readonly requestsPerMinute?: number | null;
}

/**
 * Creates an organization. Only the service role may call this. `query` selects relations of the result.
 * @throws DomainError VALIDATION_FAILED when the plan is unknown
 */
export async function createOrganization(
  context: Context,
  input: { readonly name: string; readonly plan?: string | null },
  query: Prisma.OrganizationDefaultArgs = {},
): Promise<Organization> {
  requirePermission(context.caller, 'organization:create');
  const planName = input.plan ?? 'free';
  await requirePlan(context, planName);
  return transaction(context, async (context) => {
    const data = { id: newId(), name: input.name, planName };
    const organization = await context.db.organization.create({ ...query, data });
    const target = { type: 'ORGANIZATION', id: data.id, name: data.name } as const;
    const entry = { organizationId: data.id, target, change: { plan: planName } };
    await recordAuditEntry(context, { ...entry, action: 'ORGANIZATION_CREATED' });
    return organization;
  });
}

/**
 * Changes the given fields. `query` selects relations of the result. Owners and admins may change the name. Only the
 * service role may change the plan and the limits. If a limit is set to null, the limit of the plan applies again.
 * @throws DomainError VALIDATION_FAILED when the plan is unknown
 */
export async function updateOrganization(
  context: Context,
  input: {
    readonly id: string;
    readonly name?: string | null;
    readonly plan?: string | null;
    readonly limits?: OrganizationLimits | null;
  },
  query: Prisma.OrganizationDefaultArgs = {},
): Promise<Organization> {
  const { id } = await requireOrganization(context, input.id, 'organization:manage');
  if (input.plan != null || input.limits != null) {
    requirePermission(context.caller, 'organization:create');
  }
  if (input.plan != null) await requirePlan(context, input.plan);
  return transaction(context, async (context) => {
    const organization = await context.db.organization.update({
      ...query,
      where: { id },
      data: {
        ...(input.name != null && { name: input.name }),
        ...(input.plan != null && { planName: input.plan }),
        ...input.limits,
      },
    });
    const { id: _, ...change } = input;
    await recordAuditEntry(context, {
      organizationId: id,
      action: 'ORGANIZATION_UPDATED',
      target: { type: 'ORGANIZATION', id, name: organization.name },
      change,
    });
    return organization;
  });
}

/** Limits that apply to an organization. Null means unlimited. */
export interface EffectiveLimits {
  readonly monthlyMessages: number | null;
  readonly monthlyEvaluatedQuestions: number | null;
  readonly monthlyJudgedQuestions: number | null;
  readonly maxUploadBytes: number;
  readonly storageBytes: number | null;
  readonly requestsPerMinute: number;
}

export const limitColumns = {
  monthlyMessages: true,
  monthlyEvaluatedQuestions: true,
  monthlyJudgedQuestions: true,
  maxUploadBytes: true,
  storageBytes: true,
  requestsPerMinute: true,
  plan: true,
} as const;

/**
 * Returns the limits of an organization. If the organization does not set a limit itself, the limit comes from its
 * plan.
 */
export function effectiveLimits(
  organization: Prisma.OrganizationGetPayload<{ select: typeof limitColumns }>,
): EffectiveLimits {
  const { plan } = organization;
  const storageBytes = organization.storageBytes ?? plan.storageBytes;
  const monthlyMessages = organization.monthlyMessages ?? plan.monthlyMessages;
  const monthlyQuestions = defaultQuestionLimit(monthlyMessages);
  return {
    monthlyMessages,
    monthlyEvaluatedQuestions:
      organization.monthlyEvaluatedQuestions ?? plan.monthlyEvaluatedQuestions ?? monthlyQuestions,
    monthlyJudgedQuestions:
      organization.monthlyJudgedQuestions ?? plan.monthlyJudgedQuestions ?? monthlyQuestions,
    maxUploadBytes: Number(organization.maxUploadBytes ?? plan.maxUploadBytes),
    storageBytes: storageBytes === null ? null : Number(storageBytes),
    requestsPerMinute: organization.requestsPerMinute ?? plan.requestsPerMinute,
  };
}

async function requirePlan({ db }: Context, name: string): Promise<void> {
  const plan = await db.plan.findUnique({ where: { name } });
  if (plan !== null) return;
  const plans = await db.plan.findMany({ orderBy: { requestsPerMinute: 'asc' } });
  throw new DomainError('VALIDATION_FAILED', [
    `plan must be one of ${plans.map((known) => known.name).join(', ')}`,
  ]);
}
