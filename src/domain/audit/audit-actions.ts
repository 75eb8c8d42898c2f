/** Actions that the audit log records, with their descriptions. */
export const auditActions = {
  API_KEY_CREATED: 'An API key was created.',
  API_KEY_ROTATED: 'An API key was replaced by a new one.',
  API_KEY_REVOKED: 'An API key was revoked.',
  MEMBER_INVITED: 'A member was invited.',
  INVITATION_RENEWED: 'The link of an invitation was replaced by a new one.',
  INVITATION_REVOKED: 'An invitation was revoked.',
  MEMBER_JOINED:
    'An operator signed in and became a member, by an invitation or by a group of the OIDC provider.',
  MEMBER_UPDATED: 'The role of a member was changed.',
  MEMBER_REMOVED: 'A member was removed.',
  WEBHOOK_CREATED: 'A webhook endpoint was created.',
  WEBHOOK_UPDATED: 'A webhook endpoint was changed, enabled or disabled.',
  WEBHOOK_SECRET_ROTATED: 'The secret of a webhook endpoint was replaced.',
  WEBHOOK_DELETED: 'A webhook endpoint was deleted.',
  ORGANIZATION_CREATED: 'The organization was created.',
  ORGANIZATION_UPDATED: 'The name, plan or limits of the organization were changed.',
  PROJECT_CREATED: 'A project was created.',
  PROJECT_UPDATED: 'The name or settings of a project were changed.',
  WIDGET_UPDATED: 'The widget of a project was set up or changed.',
  WIDGET_KEY_ROTATED: 'The publishable key of a widget was replaced.',
  SAVED_REPLY_CREATED: 'A saved reply was added to a project.',
  SAVED_REPLY_UPDATED: 'A saved reply was changed.',
  SAVED_REPLY_DELETED: 'A saved reply was deleted.',
  END_USER_EXPORTED: 'The data of an end user was exported.',
  END_USER_ERASED: 'The data of an end user was erased.',
  AUDIT_LOG_EXPORTED: 'The audit log was exported.',
  SIGNED_IN: 'An operator signed in to the dashboard.',
  SIGNED_OUT: 'An operator signed out of the dashboard.',
  SIGNED_OUT_EVERYWHERE: 'An operator ended all sessions of the dashboard.',
} as const satisfies Record<string, string>;

export type AuditAction = keyof typeof auditActions;
