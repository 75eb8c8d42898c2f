import { expect, test } from 'vitest';
import type { VisitorCaller } from '../../../src/domain/caller.ts';
import { tenantOf } from '../../../src/domain/caller-tenant.ts';
import { type Permission, requirePermission } from '../../../src/domain/permissions.ts';
import { visitorCitations } from '../../../src/domain/widget/visitor-citations.ts';
import { newId } from '../../../src/platform/ids.ts';

const visitor: VisitorCaller = {
  type: 'visitor',
  organizationId: newId(),
  projectId: newId(),
  endUserId: `visitor-${newId()}`,
  identityVersion: null,
  publishableKey: 'pk_',
  origin: 'https://www.harbour.example',
  expiresAt: new Date(),
};

/** All permissions that a visitor lacks. If a new permission is missing here, the compiler reports an error. */
const refused: Record<Exclude<Permission, 'widget:use'>, true> = {
  chat: true,
  'answer-traces:read': true,
  'knowledge:read': true,
  'knowledge:write': true,
  'conversations:read': true,
  'handoffs:rate': true,
  'handoffs:work': true,
  'usage:read': true,
  'evaluation:read': true,
  'evaluation:write': true,
  'webhooks:manage': true,
  'keys:manage': true,
  'end-users:manage': true,
  'organization:read': true,
  'organization:manage': true,
  'audit:read': true,
  'organization:create': true,
};

test.each(Object.keys(refused) as Permission[])('a visitor is denied %s', (permission) => {
  expect(() => requirePermission(visitor, permission)).toThrow('Visitors may not do this');
});

test('a visitor sees at most the data of its project, and is the only caller that may use the widget', () => {
  expect(tenantOf(visitor)).toBe(`project:${visitor.projectId}:${visitor.organizationId}`);
  expect(() => requirePermission(visitor, 'widget:use')).not.toThrow();
  const key = {
    type: 'key',
    keyId: newId(),
    organizationId: newId(),
    projectId: null,
    filter: null,
  } as const;
  expect(() => requirePermission({ ...key, scopes: ['CHAT'] }, 'widget:use')).toThrow();
});

test('an answer shows a visitor the sources that it cites, or all of them if it cites none', () => {
  const ground = (documentName: string) => ({
    documentId: newId(),
    documentName,
    chunkId: newId(),
    score: 0.5,
    quote: `${documentName} says so`,
    page: 1,
    startOffset: 0,
    endOffset: 9,
  });
  const grounds = ['A', 'B', 'C'].map(ground);
  const second = { number: 2, documentName: 'B', quote: 'B says so', sourceUrl: null };
  expect(visitorCitations('It is so. [2]', grounds)).toEqual([second]);
  expect(visitorCitations('It is so.', grounds)).toHaveLength(3);
  expect(visitorCitations('It is so. [2]', [])).toEqual([]);
});
