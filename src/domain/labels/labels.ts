import { DomainError, isUniqueViolation, notFound } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { LabelColor } from '../../platform/postgres/generated/prisma/enums.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { recordAuditEntry } from '../audit/record-audit-entry.ts';
import { type Context, transaction } from '../context.ts';
import type { Project } from '../organizations/find-project.ts';
import { requireProject } from '../organizations/require-project.ts';
import { requireProjectResource } from '../organizations/require-project-resource.ts';
import type { Permission } from '../permissions.ts';

/** A word with which the team marks conversations. End users, models and webhooks never receive it. */
export type Label = Prisma.LabelGetPayload<object>;

/** Identifies a label. If `projectId` is set, the label must belong to that project. */
export interface LabelTarget {
  readonly labelId: string;
  readonly projectId?: string | null;
}

const maxLabels = 100;
const defaultColor: LabelColor = 'GRAY';

/**
 * Returns all labels of the project, sorted by name. There are at most 100.
 * @throws DomainError from `requireProject`
 */
export async function listLabels(
  context: Context,
  input: { readonly projectId: string },
): Promise<Label[]> {
  const { id: projectId } = await requireProject(context, input.projectId, 'conversations:read');
  return sortByName(await context.db.label.findMany({ where: { projectId } }));
}

/** Sorts names in the same order for every database. The collations of databases differ. */
const names = new Intl.Collator('en', { numeric: true });

/** Returns the labels, sorted by name. */
export function sortByName(labels: readonly Label[]): Label[] {
  return labels.toSorted((one, other) => names.compare(one.name, other.name));
}

/**
 * Returns a label of a project whose conversations the caller may read.
 * @throws DomainError NOT_FOUND when the label is unknown
 */
export async function getLabel(context: Context, target: LabelTarget): Promise<Label> {
  return (await requireLabel(context, target, 'conversations:read')).resource;
}

/**
 * Adds a label to a project.
 * @throws DomainError from `requireProject`
 * @throws DomainError CONFLICT when the project has 100 labels, or already has a label with this name
 */
export async function createLabel(
  context: Context,
  input: { readonly projectId: string; readonly name: string; readonly color?: LabelColor | null },
): Promise<Label> {
  const project = await requireProject(context, input.projectId, 'organization:manage');
  const { id: projectId } = project;
  const texts = { name: input.name.trim(), color: input.color ?? defaultColor };
  return withUniqueName(
    transaction(context, async (context) => {
      await requireCapacity(context.db, projectId);
      const data = { id: newId(), projectId, ...texts };
      const label = await context.db.label.create({ data });
      await audit(context, 'LABEL_CREATED', project, label, texts);
      return label;
    }),
  );
}

/**
 * Changes the given fields of a label.
 * @throws DomainError NOT_FOUND when the label is unknown
 * @throws DomainError CONFLICT when another label of the project has this name
 */
export async function updateLabel(
  context: Context,
  input: LabelTarget & { readonly name?: string | null; readonly color?: LabelColor | null },
): Promise<Label> {
  const { resource, project } = await requireLabel(context, input, 'organization:manage');
  const { id, projectId } = resource;
  const { name, color } = input;
  const change = {
    ...(name != null && { name: name.trim() }),
    ...(color != null && { color }),
  };
  return withUniqueName(
    transaction(context, async (context) => {
      const [label] = await context.db.label.updateManyAndReturn({
        where: { id, projectId },
        data: change,
      });
      if (label === undefined) throw notFound('Label');
      await audit(context, 'LABEL_UPDATED', project, label, change);
      return label;
    }),
  );
}

/**
 * Deletes a label, also from all conversations that have it.
 * @throws DomainError NOT_FOUND when the label is unknown
 */
export async function deleteLabel(context: Context, target: LabelTarget): Promise<Label> {
  const { resource: label, project } = await requireLabel(context, target, 'organization:manage');
  const { id, projectId } = label;
  return transaction(
    context,
    async (context) => {
      const { count } = await context.db.label.deleteMany({ where: { id, projectId } });
      if (count === 0) throw notFound('Label');
      await audit(context, 'LABEL_DELETED', project, label);
      return label;
    },
    { isRemoval: true },
  );
}

function requireLabel(
  context: Context,
  { labelId, projectId }: LabelTarget,
  permission: Permission,
) {
  const target = { what: 'Label', id: labelId, projectId: projectId ?? null };
  return requireProjectResource(context, permission, target, (id) =>
    context.db.label.findUnique({ where: { id } }),
  );
}

/** Counts the labels after locking the project's row, so that concurrent calls cannot exceed the limit. */
async function requireCapacity(db: Prisma.TransactionClient, projectId: string): Promise<void> {
  await runSql(db, 'select id from grounded.projects where id = $1::uuid for no key update', [
    projectId,
  ]);
  if ((await db.label.count({ where: { projectId } })) >= maxLabels) {
    const message = `A project has at most ${maxLabels} labels. Delete one first`;
    throw new DomainError('CONFLICT', message);
  }
}

async function withUniqueName(change: Promise<Label>): Promise<Label> {
  try {
    return await change;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const message = 'name is taken by another label of the project. Choose another one';
    throw new DomainError('CONFLICT', message, { cause: error });
  }
}

async function audit(
  context: Context,
  action: 'LABEL_CREATED' | 'LABEL_UPDATED' | 'LABEL_DELETED',
  { id: projectId, organizationId }: Project,
  { id, name }: Label,
  change: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await recordAuditEntry(context, {
    organizationId,
    action,
    target: { type: 'LABEL', id, name },
    change: { projectId, ...change },
  });
}
