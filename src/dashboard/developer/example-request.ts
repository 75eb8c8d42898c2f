import type { Scope } from './scopes.ts';

/**
 * A first request that a key may make, to be pasted into a shell. `projectId` is null for a key of one project, which
 * implies it.
 */
export function exampleRequest(key: {
  readonly secret: string;
  readonly scopes: readonly Scope[];
  readonly projectId: string | null;
}): string {
  const scope = preference.find((scope) => key.scopes.includes(scope)) ?? 'CHAT';
  const { path, body } = requests[scope];
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

const preference: readonly Scope[] = [
  'CHAT',
  'KNOWLEDGE_READ',
  'CONVERSATIONS_READ',
  'ANALYTICS_READ',
  'KNOWLEDGE_WRITE',
];

const requests: Readonly<Record<Scope, { readonly path: string; readonly body?: object }>> = {
  CHAT: { path: '/chat', body: { message: 'What can you help me with?' } },
  KNOWLEDGE_READ: { path: '/knowledge/documents' },
  KNOWLEDGE_WRITE: {
    path: '/knowledge/documents',
    body: { name: 'A first document', content: 'What the assistant is to know.' },
  },
  CONVERSATIONS_READ: { path: '/conversations' },
  ANALYTICS_READ: { path: '/usage' },
};
