import { defaultOcrSettings } from '../../extract/ocr/ocr-settings.ts';
import { DomainError, notFound } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { HumanRequest, OcrMode } from '../../platform/postgres/generated/prisma/enums.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { recordAuditEntry } from '../audit/record-audit-entry.ts';
import { type Context, transaction } from '../context.ts';
import { type BudgetInput, budgetColumnsOf, forgetWarnings } from './budget.ts';
import type { BusinessHours } from './business-hours.ts';
import type { Project } from './find-project.ts';
import {
  type LanguageModelSettings,
  languageModelColumnsOf,
  requireWithinLimits,
} from './language-model-settings.ts';
import { requireOrganization } from './require-organization.ts';
import { requireProject } from './require-project.ts';

export interface AssistantSettings {
  readonly instructions?: string | null;
  readonly fallbackText?: string | null;
  readonly holdingText?: string | null;
  readonly outOfHoursText?: string | null;
  readonly businessHours?: BusinessHours | null;
  readonly greetingText?: string | null;
  readonly thanksText?: string | null;
  readonly goodbyeText?: string | null;
  readonly identityText?: string | null;
  readonly helpText?: string | null;
  readonly humanText?: string | null;
  readonly complaintText?: string | null;
  readonly gibberishText?: string | null;
  readonly humanRequest?: HumanRequest | null;
  /** Minimum confidence for an answer, 0 to 1. */
  readonly confidenceThreshold?: number | null;
}

/** Settings of OCR. See `extract/ocr-settings`. */
export interface ProjectOcrSettings {
  readonly mode?: OcrMode | null;
  readonly languages?: readonly string[] | null;
  readonly maxPages?: number | null;
}

/** Bounds the settings and the lists that an organization can store, each of which is bounded per project. */
const maxProjects = 1_000;

/** @throws DomainError CONFLICT when the organization has 1,000 projects */
export async function createProject(
  context: Context,
  input: { readonly organizationId: string; readonly name: string },
): Promise<Project> {
  const { id: organizationId } = await requireOrganization(
    context,
    input.organizationId,
    'organization:manage',
  );
  return transaction(context, async (context) => {
    const { db } = context;
    // Without this lock, concurrent calls could exceed the limit.
    await runSql(
      db,
      'select id from grounded.organizations where id = $1::uuid for no key update',
      [organizationId],
    );
    if ((await db.project.count({ where: { organizationId } })) >= maxProjects) {
      throw new DomainError('CONFLICT', `An organization has at most ${maxProjects} projects`);
    }
    const data = { id: newId(), organizationId, name: input.name };
    const project = await db.project.create({ data });
    await auditProject(context, 'PROJECT_CREATED', project, {});
    return project;
  });
}

/**
 * Changes the given fields. If a setting is null, its default applies again.
 * @throws DomainError VALIDATION_FAILED when a limit is above the limit of the installation
 * @throws DomainError CONFLICT when the project's `updatedAt` differs from `ifUpdatedAt`
 */
export async function updateProject(
  context: Context,
  input: {
    readonly id: string;
    readonly name?: string | null;
    readonly assistant?: AssistantSettings | null;
    readonly languageModel?: LanguageModelSettings | null;
    readonly ocr?: ProjectOcrSettings | null;
    readonly handoffTargets?: HandoffTargets | null;
    /** Null removes the budget. */
    readonly budget?: BudgetInput | null;
    readonly asksForSatisfaction?: boolean | null;
    readonly isSetupHidden?: boolean | null;
    readonly keepsBuiltInModel?: boolean | null;
    readonly ifUpdatedAt?: Date | null;
  },
): Promise<Project> {
  const { id, organizationId } = await requireProject(context, input.id, 'organization:manage');
  const { businessHours, humanRequest, ...settings } = input.assistant ?? {};
  const { ifUpdatedAt: updatedAt, languageModel, ocr } = input;
  const { handoffTargets, budget } = input;
  const flags = flagsOf(input);
  if (languageModel != null) requireWithinLimits(context.models.chat, languageModel);
  const project = await transaction(context, async (context) => {
    const [updated] = await context.db.project.updateManyAndReturn({
      where: { id, organizationId, ...(updatedAt != null && { updatedAt }) },
      data: {
        ...(input.name != null && { name: input.name }),
        ...settings,
        ...(languageModel != null && languageModelColumnsOf(languageModel)),
        ...(ocr != null && ocrColumnsOf(ocr)),
        ...(handoffTargets != null && targetColumnsOf(handoffTargets)),
        ...(budget !== undefined && budgetColumnsOf(budget)),
        ...flags,
        ...(humanRequest !== undefined && { humanRequest: humanRequest ?? 'OFFER' }),
        ...(businessHours !== undefined && { businessHours: businessHours ?? Prisma.DbNull }),
      },
    });
    const { name, assistant } = input;
    const change = {
      ...(name != null && { name }),
      ...assistant,
      ...languageModel,
      ...(ocr != null && { ocr }),
      ...(handoffTargets != null && { handoffTargets }),
      ...(budget !== undefined && { budget }),
      ...flags,
    };
    if (updated !== undefined && budget !== undefined) await forgetWarnings(context, id);
    if (updated !== undefined) await auditProject(context, 'PROJECT_UPDATED', updated, change);
    return updated;
  });
  if (project !== undefined) return project;
  if (updatedAt == null) throw notFound('Project');
  throw new DomainError(
    'CONFLICT',
    'The project has changed since it was read: read it again and repeat the change',
  );
}

function flagsOf({
  asksForSatisfaction,
  isSetupHidden,
  keepsBuiltInModel,
}: Parameters<typeof updateProject>[1]) {
  return {
    ...(asksForSatisfaction != null && { asksForSatisfaction }),
    ...(isSetupHidden != null && { isSetupHidden }),
    ...(keepsBuiltInModel != null && { keepsBuiltInModel }),
  };
}

function auditProject(
  context: Context,
  action: 'PROJECT_CREATED' | 'PROJECT_UPDATED',
  { id, organizationId, name }: Project,
  change: Readonly<Record<string, unknown>>,
): Promise<void> {
  const target = { type: 'PROJECT', id, name } as const;
  return recordAuditEntry(context, { organizationId, action, target, change });
}

function ocrColumnsOf({ mode, languages, maxPages }: ProjectOcrSettings) {
  return {
    ...(mode !== undefined && { ocrMode: mode ?? defaultOcrSettings.mode }),
    ...(languages !== undefined && {
      ocrLanguages: [...(languages ?? defaultOcrSettings.languages)],
    }),
    ...(maxPages !== undefined && { ocrPages: maxPages ?? defaultOcrSettings.pages }),
  };
}

/** Target times of a project for handoffs, in minutes of business hours after the request. Null removes a target. */
interface HandoffTargets {
  readonly firstReplyMinutes?: number | null;
  readonly resolutionMinutes?: number | null;
}

function targetColumnsOf({ firstReplyMinutes, resolutionMinutes }: HandoffTargets) {
  return { firstReplyTargetMinutes: firstReplyMinutes, resolutionTargetMinutes: resolutionMinutes };
}
