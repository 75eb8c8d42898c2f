import type { Scope } from './api-key-scopes.ts';

/**
 * Returns a curl command for a request that the scopes of the key allow. `projectId` is null if the key is bound to one
 * project, because requests with such a key need no `projectId`.
 */
export function exampleRequest(key: {
  readonly secret: string;
  readonly scopes: readonly Scope[];
  readonly projectId: string | null;
}): string {
  const scope = scopePreference.find((scope) => key.scopes.includes(scope)) ?? 'CHAT';
  const { path, body } = requestByScope[scope];
  const query = body === undefined && key.projectId !== null ? `?projectId=${key.projectId}` : '';
  const project = key.projectId === null ? {} : { projectId: key.projectId };
  const lines = [
    `curl '${location.origin}/api/v1${path}${query}'`,
    `-H 'Authorization: Bearer ${key.secret}'`,
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify({ ...project, ...body })}'`]),
  ];
  return lines.join(' \\\n  ');
}

const scopePreference: readonly Scope[] = [
  'CHAT',
  'KNOWLEDGE_READ',
  'CONVERSATIONS_READ',
  'ANALYTICS_READ',
  'HANDOFF_WRITE',
  'WEBHOOKS_WRITE',
  'KEYS_WRITE',
  'KNOWLEDGE_WRITE',
  'EVALUATION_READ',
  'EVALUATION_WRITE',
];

const requestByScope: Readonly<Record<Scope, { readonly path: string; readonly body?: object }>> = {
  CHAT: { path: '/chat', body: { message: 'Which files can I upload?' } },
  KNOWLEDGE_READ: { path: '/knowledge/documents' },
  KNOWLEDGE_WRITE: {
    path: '/knowledge/documents',
    body: { name: 'First document', content: 'A fact for the assistant.' },
  },
  CONVERSATIONS_READ: { path: '/conversations' },
  ANALYTICS_READ: { path: '/usage' },
  HANDOFF_WRITE: { path: '/handoffs/HANDOFF_ID/claim', body: {} },
  WEBHOOKS_WRITE: { path: '/webhooks' },
  KEYS_WRITE: { path: '/keys' },
  EVALUATION_READ: { path: '/evaluation/sets' },
  EVALUATION_WRITE: { path: '/evaluation/sets', body: { name: 'Front desk' } },
};
