import { DomainError, notFound } from '../../platform/errors.ts';
import { type Context, transaction } from '../context.ts';
import { requireProject } from '../organizations/require-project.ts';
import { auditWidget } from './audit-widget.ts';
import { generateIdentitySecret } from './user-hash.ts';
import type { Widget } from './widgets.ts';

/**
 * Default time for which ids that were signed with the old secret are accepted. The website switches to the new secret
 * in this time.
 */
const defaultOverlapSeconds = 24 * 60 * 60;

/** A widget and its new identity secret, which is returned only once. */
export interface NewIdentitySecret {
  readonly secret: string;
  readonly widget: Widget;
}

/**
 * Creates or replaces the secret with which the website signs the ids of its users. Ids that were signed with the old
 * secret, and visits that started with them, stay valid for `overlapSeconds` (default: one day). If `overlapSeconds` is
 * 0, they become invalid immediately.
 * @throws DomainError NOT_FOUND when the project has no widget
 * @throws DomainError CONFLICT when the secret was replaced concurrently
 */
export async function rotateIdentitySecret(
  context: Context,
  input: { readonly projectId: string; readonly overlapSeconds?: number | null },
): Promise<NewIdentitySecret> {
  const project = await requireProject(context, input.projectId, 'organization:manage');
  const { id: projectId } = project;
  const old = await context.db.widget.findUnique({ where: { projectId } });
  if (old === null) throw notFound('Widget');
  const secret = generateIdentitySecret();
  const overlapSeconds = input.overlapSeconds ?? defaultOverlapSeconds;
  const keepsPrevious = old.identitySecret !== null && overlapSeconds > 0;
  const now = Date.now();
  const data = {
    identitySecret: context.secretBox.encrypt(secret, projectId),
    identitySecretCreatedAt: new Date(now),
    identityVersion: old.identityVersion + 1,
    previousIdentitySecret: keepsPrevious ? old.identitySecret : null,
    previousIdentitySecretExpiresAt: keepsPrevious ? new Date(now + overlapSeconds * 1000) : null,
  };
  return transaction(
    context,
    async (context) => {
      const where = { projectId, identityVersion: old.identityVersion };
      const [widget] = await context.db.widget.updateManyAndReturn({ where, data });
      if (widget === undefined) {
        throw new DomainError(
          'CONFLICT',
          'The identity secret was replaced in the meantime: read the widget again',
        );
      }
      await auditWidget(context, 'WIDGET_IDENTITY_SECRET_ROTATED', project, { overlapSeconds });
      return { secret, widget };
    },
    { isRemoval: true },
  );
}
