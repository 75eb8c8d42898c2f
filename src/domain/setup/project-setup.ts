import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { requireProject } from '../organizations/require-project.ts';

/** The setup of a project. Each fact is a step of the page "Get started". */
export interface ProjectSetup {
  readonly projectId: string;
  /** Whether a document can be searched. */
  readonly hasDocuments: boolean;
  /** Whether anyone has asked a question, through any channel. */
  readonly hasConversation: boolean;
  /** Whether a language model is configured, or the built-in chat model is meant to stay. */
  readonly hasModelChoice: boolean;
  /** Whether one of the latest 1,000 conversations came from the widget. */
  readonly hasWidgetConversation: boolean;
  /** Whether the organization has a second member or an open invitation. */
  readonly hasColleague: boolean;
  /** Whether a person has hidden the page. */
  readonly isHidden: boolean;
}

/**
 * Returns the setup of a project, with one statement that reads a bounded number of rows.
 * @throws DomainError from `requireProject`
 */
export async function getProjectSetup(
  context: Context,
  input: { readonly projectId: string },
): Promise<ProjectSetup> {
  const project = await requireProject(context, input.projectId, 'organization:manage');
  const { id, organizationId, isSetupHidden, keepsBuiltInModel } = project;
  const [facts] = await runSql<Facts>(context.db, selectFacts, [id, organizationId]);
  if (facts === undefined) throw new Error('selectFacts returns one row');
  return {
    ...facts,
    projectId: id,
    hasModelChoice: keepsBuiltInModel || context.models.chat.isExtractive !== true,
    isHidden: isSetupHidden,
  };
}

type Facts = Pick<
  ProjectSetup,
  'hasDocuments' | 'hasConversation' | 'hasWidgetConversation' | 'hasColleague'
>;

/** Parameters: $1 project, $2 organization. No index has the widget's conversations, so their number is limited. */
const selectFacts = `
  select
    exists (
      select from (
        select status, deleted_at from grounded.documents
        where project_id = $1::uuid order by created_at desc, id desc limit 1000) latest
      where status = 'READY' and deleted_at is null) as "hasDocuments",
    exists (select from grounded.conversations where project_id = $1::uuid) as "hasConversation",
    exists (
      select from (
        select channel from grounded.conversations
        where project_id = $1::uuid order by last_message_at desc, id desc limit 1000) latest
      where channel = 'WIDGET') as "hasWidgetConversation",
    exists (select from grounded.members where organization_id = $2::uuid offset 1) as "hasColleague"`;
