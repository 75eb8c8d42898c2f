import { randomBytes } from 'node:crypto';
import { generatePublishableKeyText } from '../api-keys/key-text.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { requireMember } from '../organizations/require-member.ts';
import { type Project, requireProject } from '../organizations/require-project.ts';
import { readAllowedOrigins } from './allowed-origins.ts';

export type Widget = Prisma.WidgetGetPayload<object>;

/** The widget of a project that the caller has been given, if it is one's to manage. */
export async function requireWidgetOf(
  context: Context,
  { organizationId, widget }: Pick<Project, 'organizationId'> & { readonly widget: Widget | null },
): Promise<Widget | null> {
  await requireMember(context, organizationId, 'organization:manage');
  return widget;
}

/**
 * Changes what is given of a project's widget, which is made where there is none yet: switched on, for no site.
 * Throws what `requireProject` throws, and `VALIDATION_FAILED` for origins that are none.
 */
export async function updateWidget(
  context: Context,
  input: {
    readonly projectId: string;
    readonly isEnabled?: boolean | null;
    readonly allowedOrigins?: readonly string[] | null;
  },
): Promise<Widget> {
  const { id: projectId } = await requireProject(context, input.projectId, 'organization:manage');
  const { isEnabled, allowedOrigins } = input;
  const data = {
    ...(isEnabled != null && { isEnabled }),
    ...(allowedOrigins != null && { allowedOrigins: readAllowedOrigins(allowedOrigins) }),
  };
  // Of two at once that make it, the second finds it made.
  await context.db.widget.createMany({
    data: {
      projectId,
      publishableKey: generatePublishableKeyText(),
      visitorSecret: new Uint8Array(randomBytes(32)),
    },
    skipDuplicates: true,
  });
  return context.db.widget.update({ where: { projectId }, data });
}

/**
 * Gives a project's widget another publishable key. The old one ends at once, and with it every page that names it;
 * visitors keep their conversations. Throws what `requireProject` throws, and `NOT_FOUND` where there is no widget.
 */
export async function rotateWidgetKey(
  context: Context,
  input: { readonly projectId: string },
): Promise<Widget> {
  const { id: projectId } = await requireProject(context, input.projectId, 'organization:manage');
  const { count } = await context.db.widget.updateMany({
    where: { projectId },
    data: { publishableKey: generatePublishableKeyText() },
  });
  if (count === 0) throw notFound('Widget');
  return context.db.widget.findUniqueOrThrow({ where: { projectId } });
}
