import { expect, test } from 'vitest';
import { type Permission, requirePermission, type VisitorCaller } from '../../src/domain/caller.ts';
import { newId } from '../../src/domain/ids.ts';
import { tenantOf } from '../../src/domain/tenancy/tenant.ts';
import { visitorCitations } from '../../src/domain/widget/visitor-citations.ts';

const visitor: VisitorCaller = {
  type: 'visitor',
  organizationId: newId(),
  projectId: newId(),
  endUserId: `visitor-${newId()}`,
  publishableKey: 'pk_',
  origin: 'https://www.harbour.example',
  expiresAt: new Date(),
};

/** Every permission that there is; the compiler misses one that is new. */
const refused: Record<Exclude<Permission, 'widget:use'>, true> = {
  chat: true,
  'knowledge:read': true,
  'knowledge:write': true,
  'conversations:read': true,
  'handoffs:work': true,
  'usage:read': true,
  'webhooks:manage': true,
  'end-users:manage': true,
  'organization:read': true,
  'organization:manage': true,
  'organization:create': true,
};

test.each(Object.keys(refused) as Permission[])('a visitor is refused %s', (permission) => {
  expect(() => requirePermission(visitor, permission)).toThrow('Visitors may not do this');
});

test('a visitor sees what its organization sees at most, and only it may use the widget', () => {
  expect(tenantOf(visitor)).toBe(visitor.organizationId);
  expect(() => requirePermission(visitor, 'widget:use')).not.toThrow();
  const key = { type: 'key', keyId: newId(), organizationId: newId(), projectId: null } as const;
  expect(() => requirePermission({ ...key, scopes: ['CHAT'] }, 'widget:use')).toThrow();
});

test('of its grounds an answer tells those it names, or all where it names none', () => {
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
  const second = { number: 2, documentName: 'B', quote: 'B says so' };
  expect(visitorCitations('It is so. [2]', grounds)).toEqual([second]);
  expect(visitorCitations('It is so.', grounds)).toHaveLength(3);
  expect(visitorCitations('It is so. [2]', [])).toEqual([]);
});
