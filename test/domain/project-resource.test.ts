import { expect, test } from 'vitest';
import { createContext } from '../../src/domain/context.ts';
import { createQuestionSet, getQuestionSet } from '../../src/domain/evaluation/question-sets.ts';
import { newId } from '../../src/platform/ids.ts';
import { sharedService } from '../support/shared-service.ts';

test('a key cannot tell a resource of another project of its organization from one that does not exist', async () => {
  const service = await sharedService();
  const { organizationId, projectId } = await service.createTenant();
  const sibling = await service.system.db.project.create({
    data: { id: newId(), organizationId, name: 'Sibling' },
  });
  const set = await createQuestionSet(service.system, { projectId: sibling.id, name: 'Set' });
  const context = createContext(
    service.adapters,
    {
      ...{ type: 'key', keyId: newId(), organizationId, projectId, filter: null },
      scopes: ['EVALUATION_READ'],
    },
    { signal: new AbortController().signal, requestId: null },
  );
  const errors = await Promise.all(
    [set.id, newId()].map((id) => getQuestionSet(context, { id }).catch((error) => error)),
  );
  expect(errors).toMatchObject([{ code: 'NOT_FOUND' }, { code: 'NOT_FOUND' }]);
  expect(errors[0].message).toBe(errors[1].message);
});
