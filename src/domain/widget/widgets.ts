import { randomBytes } from 'node:crypto';
import { DomainError, notFound } from '../../platform/errors.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { generatePublishableKey } from '../api-keys/api-key-format.ts';
import { type Context, transaction } from '../context.ts';
import type { Project } from '../organizations/find-project.ts';
import { requireMember } from '../organizations/require-member.ts';
import { requireProject } from '../organizations/require-project.ts';
import { storedAiNotice } from './ai-notice.ts';
import { normalizeAllowedOrigins } from './allowed-origins.ts';
import { auditWidget } from './audit-widget.ts';
import { type LookChanges, storedLook } from './widget-look.ts';

export type Widget = Prisma.WidgetGetPayload<object>;

/**
 * Returns the project's widget if the user or key may manage the organization. Needs no query, because the widget was
 * loaded together with the project.
 */
export async function findProjectWidget(
  context: Context,
  { organizationId, widget }: Pick<Project, 'organizationId'> & { readonly widget: Widget | null },
): Promise<Widget | null> {
  await requireMember(context, organizationId, 'organization:manage');
  return widget;
}

/**
 * Changes the given fields of a project's widget. If the project has no widget, creates one that is enabled and has no
 * allowed origins.
 * @throws DomainError from `requireProject`
 * @throws DomainError VALIDATION_FAILED when an origin is invalid, or verified ids are required without an identity
 *   secret
 */
export async function updateWidget(
  context: Context,
  input: {
    readonly projectId: string;
    readonly isEnabled?: boolean | null;
    readonly allowedOrigins?: readonly string[] | null;
    readonly isIdentityRequired?: boolean | null;
    /** Not blank. Null restores the default. */
    readonly aiNotice?: string | null;
    readonly look?: LookChanges | null;
  },
): Promise<Widget> {
  const project = await requireProject(context, input.projectId, 'organization:manage');
  const { id: projectId } = project;
  const { isEnabled, allowedOrigins, isIdentityRequired, aiNotice, look } = input;
  const data = {
    ...(isEnabled != null && { isEnabled }),
    ...(allowedOrigins != null && { allowedOrigins: normalizeAllowedOrigins(allowedOrigins) }),
    ...(isIdentityRequired != null && { isIdentityRequired }),
    ...(aiNotice !== undefined && { aiNotice: storedAiNotice(aiNotice) }),
    ...(look != null && storedLook(look)),
  };
  return transaction(
    context,
    async (context) => {
      // `skipDuplicates` is for two concurrent calls that both create the widget.
      await context.db.widget.createMany({
        data: {
          projectId,
          publishableKey: generatePublishableKey(),
          visitorSecret: new Uint8Array(randomBytes(32)),
        },
        skipDuplicates: true,
      });
      if (isIdentityRequired === true) await requireIdentitySecret(context, projectId);
      await auditWidget(context, 'WIDGET_UPDATED', project, data);
      return context.db.widget.update({ where: { projectId }, data });
    },
    { isRemoval: isEnabled === false },
  );
}

/** Requires an identity secret. Without a secret, no id can be verified, so the widget would refuse all visitors. */
async function requireIdentitySecret({ db }: Context, projectId: string): Promise<void> {
  const where = { projectId, identitySecret: { not: null } };
  if ((await db.widget.count({ where })) > 0) return;
  throw new DomainError('VALIDATION_FAILED', [
    'isIdentityRequired needs an identity secret: call rotateWidgetIdentitySecret first',
  ]);
}

/**
 * Replaces the publishable key of a widget. Pages with the old key stop working immediately. Visitors keep their
 * conversations.
 * @throws DomainError from `requireProject`
 * @throws DomainError NOT_FOUND when the project has no widget
 */
export async function rotateWidgetKey(
  context: Context,
  input: { readonly projectId: string },
): Promise<Widget> {
  const project = await requireProject(context, input.projectId, 'organization:manage');
  const { id: projectId } = project;
  return transaction(
    context,
    async (context) => {
      const { count } = await context.db.widget.updateMany({
        where: { projectId },
        data: { publishableKey: generatePublishableKey() },
      });
      if (count === 0) throw notFound('Widget');
      await auditWidget(context, 'WIDGET_KEY_ROTATED', project, {});
      return context.db.widget.findUniqueOrThrow({ where: { projectId } });
    },
    { isRemoval: true },
  );
}
