import { randomBytes } from 'node:crypto';
import { notFound } from '../../platform/errors.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { generatePublishableKey } from '../api-keys/api-key-format.ts';
import { recordAuditEntry } from '../audit/record-audit-entry.ts';
import { type Context, transaction } from '../context.ts';
import { requireMember } from '../organizations/require-member.ts';
import { type Project, requireProject } from '../organizations/require-project.ts';
import { normalizeAllowedOrigins } from './allowed-origins.ts';

export type Widget = Prisma.WidgetGetPayload<object>;

/**
 * Returns the project's widget if the user or key may manage the organization. Runs no query for the widget: the
 * project was loaded with it.
 */
export async function findProjectWidget(
  context: Context,
  { organizationId, widget }: Pick<Project, 'organizationId'> & { readonly widget: Widget | null },
): Promise<Widget | null> {
  await requireMember(context, organizationId, 'organization:manage');
  return widget;
}

/**
 * Changes the given fields of a project's widget. Creates the widget if there is none: enabled, without allowed
 * origins.
 * @throws DomainError from `requireProject`
 * @throws DomainError VALIDATION_FAILED when an origin is invalid
 */
export async function updateWidget(
  context: Context,
  input: {
    readonly projectId: string;
    readonly isEnabled?: boolean | null;
    readonly allowedOrigins?: readonly string[] | null;
  },
): Promise<Widget> {
  const project = await requireProject(context, input.projectId, 'organization:manage');
  const { id: projectId } = project;
  const { isEnabled, allowedOrigins } = input;
  const data = {
    ...(isEnabled != null && { isEnabled }),
    ...(allowedOrigins != null && { allowedOrigins: normalizeAllowedOrigins(allowedOrigins) }),
  };
  return transaction(
    context,
    async (context) => {
      // `skipDuplicates` handles two concurrent calls that create the widget.
      await context.db.widget.createMany({
        data: {
          projectId,
          publishableKey: generatePublishableKey(),
          visitorSecret: new Uint8Array(randomBytes(32)),
        },
        skipDuplicates: true,
      });
      await auditWidget(context, 'WIDGET_UPDATED', project, data);
      return context.db.widget.update({ where: { projectId }, data });
    },
    { isRemoval: isEnabled === false },
  );
}

/**
 * Replaces the publishable key of a widget. Pages with the old key stop working at once; visitors keep their
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

function auditWidget(
  context: Context,
  action: 'WIDGET_UPDATED' | 'WIDGET_KEY_ROTATED',
  { id, organizationId, name }: Project,
  change: Readonly<Record<string, unknown>>,
): Promise<void> {
  const target = { type: 'WIDGET', id, name } as const;
  return recordAuditEntry(context, { organizationId, action, target, change });
}
