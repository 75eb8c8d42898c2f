import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { sendMessage } from '../../../src/domain/chat/send-message.ts';
import { inviteMember } from '../../../src/domain/organizations/manage-members.ts';
import { updateProject } from '../../../src/domain/organizations/projects.ts';
import { listExampleQuestions } from '../../../src/domain/setup/example-questions.ts';
import { getProjectSetup } from '../../../src/domain/setup/project-setup.ts';
import { addDocuments } from '../../support/knowledge.ts';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});

const fixture = (name: string) => readFileSync(`test/fixtures/${name}`, 'utf8');

const nothingDone = {
  ...{ hasDocuments: false, hasConversation: false, hasModelChoice: false },
  ...{ hasWidgetConversation: false, hasColleague: false, isHidden: false },
};

test('each step is done by its own fact', async () => {
  const { projectId, organizationId } = await service.createTenant();
  const { system } = service;
  const read = () => getProjectSetup(system, { projectId });
  expect(await read()).toEqual({ projectId, ...nothingDone });

  await addDocuments(service, projectId, { 'faq.md': fixture('faq.md') });
  expect(await read()).toEqual({ projectId, ...nothingDone, hasDocuments: true });

  const { conversationId } = await sendMessage(system, { projectId, message: 'Hello' });
  const asked = { projectId, ...nothingDone, hasDocuments: true, hasConversation: true };
  expect(await read()).toEqual(asked);

  await updateProject(system, { id: projectId, keepsBuiltInModel: true });
  expect(await read()).toEqual({ ...asked, hasModelChoice: true });

  await system.db.conversation.update({
    where: { id: conversationId, projectId },
    data: { channel: 'WIDGET' },
  });
  expect(await read()).toMatchObject({ hasWidgetConversation: true, hasColleague: false });

  const invite = (email: string) => inviteMember(system, { organizationId, email, role: 'OWNER' });
  await invite('owner@setup.example');
  expect(await read()).toMatchObject({ hasColleague: false });
  await invite('colleague@setup.example');
  expect(await read()).toMatchObject({ hasColleague: true, isHidden: false });

  await updateProject(system, { id: projectId, isSetupHidden: true });
  expect(await read()).toMatchObject({ isHidden: true, hasModelChoice: true });
});

test('a document that failed is no document', async () => {
  const { projectId } = await service.createTenant();
  const [document] = await addDocuments(service, projectId, { 'notes.txt': fixture('notes.txt') });
  await service.system.db.document.updateMany({
    where: { id: document?.id ?? '', projectId },
    data: { status: 'FAILED' },
  });
  expect(await getProjectSetup(service.system, { projectId })).toMatchObject({
    hasDocuments: false,
  });
  expect(await listExampleQuestions(service.system, { projectId })).toEqual([]);
});

test.each([
  [
    'faq.md',
    [
      'How do I get to the hotel from the station?',
      'When is breakfast?',
      'What is the Wi-Fi password?',
    ],
  ],
  ['notes.txt', ['What about “Renovation”?']],
])('the built-in model answers the example questions of %s', async (name, questions) => {
  const { projectId } = await service.createTenant();
  await addDocuments(service, projectId, { [name]: fixture(name) });
  expect(await listExampleQuestions(service.system, { projectId })).toEqual(questions);
  for (const message of questions) {
    const answer = await sendMessage(service.system, { projectId, message });
    expect(answer.citations.length, message).toBeGreaterThan(0);
  }
});

test('the first questions come from different documents', async () => {
  const { projectId } = await service.createTenant();
  await addDocuments(service, projectId, {
    'faq.md': fixture('faq.md'),
    'notes.txt': fixture('notes.txt'),
  });
  const questions = await listExampleQuestions(service.system, { projectId });
  expect(questions).toHaveLength(3);
  expect(questions).toContain('What about “Renovation”?');
});

test('an example question is answered from its own document, also beside one about documents and answers', async () => {
  const { projectId } = await service.createTenant();
  await addDocuments(service, projectId, {
    'Welcome.md':
      '# About the assistant\n\n## Sources\n\nYour documents are the only source. If the documents do not contain the answer, the assistant says that it does not know what your documents say about a question.',
    'rental.md':
      '# Veloria bicycle rental\n\n## Opening hours\n\nOpening hours are from 9 to 18, on Saturday from 9 to 16.\n\n## Insurance\n\nThe insurance covers theft and damage. It costs 3 euros a day.',
  });
  const questions = ['What about “Opening hours”?', 'What about “Insurance”?'];
  expect(await listExampleQuestions(service.system, { projectId })).toEqual(
    expect.arrayContaining(questions),
  );
  for (const message of questions) {
    const answer = await sendMessage(service.system, { projectId, message });
    expect(answer.citations[0]?.documentName, message).toBe('rental.md');
  }
});
