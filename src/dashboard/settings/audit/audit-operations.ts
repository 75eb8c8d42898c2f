import type { ResultOf, VariablesOf } from 'gql.tada';
import { graphql } from '../../graphql/graphql.ts';

export const auditLogQuery = graphql(`
  query AuditLog(
    $organizationId: ID!
    $action: AuditAction
    $actor: String
    $from: DateTime
    $to: DateTime
    $after: String
  ) {
    organization(id: $organizationId) {
      id
      auditLog(first: 50, after: $after, action: $action, actor: $actor, from: $from, to: $to) {
        edges {
          node {
            id
            createdAt
            action
            actorType
            actorId
            actorName
            targetType
            targetId
            targetName
            change
            ipAddress
            userAgent
            requestId
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

export function auditLogOf({ organization }: ResultOf<typeof auditLogQuery>) {
  if (organization === null)
    return { edges: [], pageInfo: { hasNextPage: false, endCursor: null } };
  return organization.auditLog;
}

export type AuditEntry = ReturnType<typeof auditLogOf>['edges'][number]['node'];
export type AuditAction = NonNullable<VariablesOf<typeof auditLogQuery>['action']>;

/** Labels of the actions, in the order of the filter. */
export const actionLabels: Readonly<Record<AuditAction, string>> = {
  API_KEY_CREATED: 'Created an API key',
  API_KEY_ROTATED: 'Rotated an API key',
  API_KEY_REVOKED: 'Revoked an API key',
  MEMBER_INVITED: 'Invited a member',
  INVITATION_RENEWED: 'Renewed an invitation',
  INVITATION_REVOKED: 'Revoked an invitation',
  MEMBER_JOINED: 'Joined the organization',
  MEMBER_UPDATED: 'Changed the role or name of a member',
  MEMBER_REMOVED: 'Removed a member',
  SIGN_IN_LINK_CREATED: 'Created a sign-in link for a member',
  WEBHOOK_CREATED: 'Created a webhook endpoint',
  WEBHOOK_UPDATED: 'Changed a webhook endpoint',
  WEBHOOK_SECRET_ROTATED: 'Rotated a webhook secret',
  WEBHOOK_DELETED: 'Deleted a webhook endpoint',
  ORGANIZATION_CREATED: 'Created the organization',
  ORGANIZATION_UPDATED: 'Changed the organization',
  MODEL_PRICES_UPDATED: 'Changed prices of models',
  PROJECT_CREATED: 'Created a project',
  PROJECT_UPDATED: 'Changed a project',
  WIDGET_UPDATED: 'Changed the widget',
  WIDGET_KEY_ROTATED: 'Rotated the key of the widget',
  WIDGET_IDENTITY_SECRET_ROTATED: 'Created or rotated the identity secret of the widget',
  SAVED_REPLY_CREATED: 'Added a saved reply',
  SAVED_REPLY_UPDATED: 'Changed a saved reply',
  SAVED_REPLY_DELETED: 'Deleted a saved reply',
  LABEL_CREATED: 'Added a label',
  LABEL_UPDATED: 'Changed a label',
  LABEL_DELETED: 'Deleted a label',
  CONVERSATION_LABEL_ADDED: 'Labeled a conversation',
  CONVERSATION_LABEL_REMOVED: 'Removed a label from a conversation',
  QUESTION_DECIDED: 'Decided about an unanswered question',
  QUESTIONS_MERGED: 'Merged unanswered questions',
  HANDOFF_RELEASED: 'Put a handoff back to waiting',
  SOURCE_CREATED: 'Added a source',
  SOURCE_UPDATED: 'Changed a source',
  SOURCE_SYNCED: 'Read a source',
  SOURCE_DELETED: 'Deleted a source',
  QUESTION_SET_CREATED: 'Added a question set',
  QUESTION_SET_UPDATED: 'Changed a question set',
  QUESTION_SET_DELETED: 'Deleted a question set',
  EVALUATION_STARTED: 'Started an evaluation run',
  EVALUATION_CANCELLED: 'Cancelled an evaluation run',
  DOCUMENT_DELETED: 'Deleted a document',
  DOCUMENTS_DELETED: 'Deleted documents',
  END_USER_EXPORTED: 'Exported the data of an end user',
  END_USER_ERASED: 'Erased the data of an end user',
  CONVERSATIONS_EXPORTED: 'Exported conversations',
  AUDIT_LOG_EXPORTED: 'Exported the audit log',
  SIGNED_IN: 'Signed in',
  SIGNED_OUT: 'Signed out',
  SIGNED_OUT_EVERYWHERE: 'Signed out everywhere',
};
