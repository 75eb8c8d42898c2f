import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendMessage } from '../../../src/domain/chat/send-message.ts';
import { uploadDocument } from '../../../src/domain/knowledge/create-document.ts';
import { withUploadedFile } from '../../../src/platform/storage/uploaded-file.ts';
import { estimateTokens } from '../../../src/text/estimate-tokens.ts';
import { type ConversationSet, readConversationSet } from '../../eval/conversation-set.ts';
import { waitForDocuments } from '../../support/knowledge.ts';
import type { OpenAiServer } from '../../support/servers/openai-server.ts';
import type { TestService } from '../../support/service.ts';
import { startServiceWithModel } from '../../support/service-with-model.ts';

let models: OpenAiServer;
let service: TestService;
let projectId: string;
let set: ConversationSet;

beforeAll(async () => {
  ({ models, service } = await startServiceWithModel());
  ({ projectId } = await service.createTenant());
  set = await readConversationSet();
  const documents = await Promise.all(
    set.sites
      .flatMap((site) => site.documents)
      .map(({ name, content }) =>
        withUploadedFile(name, Buffer.from(content), (file) =>
          uploadDocument(service.system, { projectId, file }),
        ),
      ),
  );
  const ids = documents.map(({ id }) => id);
  await waitForDocuments(service, projectId, ids);
}, 60_000);
afterAll(() => service?.stop());

test('the right passage is in the prompt, among the documents of all sites', async () => {
  const lost: string[] = [];
  const tokens: number[] = [];
  for (const { turns, category } of set.conversations) {
    const [first] = turns;
    const isAsked = first?.reply === 'answer' && first.contains.length > 0;
    if (!isAsked || categories.has(category)) continue;
    await sendMessage(service.system, { projectId, message: first.user });
    const prompt = promptOf(models.requests.at(-1)?.body.messages);
    tokens.push(estimateTokens(prompt));
    const text = prompt.toLowerCase();
    const isFound = first.contains.every((group) =>
      group.some((expected) => text.includes(expected.toLowerCase())),
    );
    if (!isFound) lost.push(first.user);
  }
  expect(tokens.length).toBeGreaterThan(60);
  expect(lost).toEqual([]);
  const mean = tokens.reduce((sum, count) => sum + count, 0) / tokens.length;
  expect(mean).toBeLessThan(400);
}, 120_000);

/** Their expected words are the service's own, or those of an answer in another language. */
const categories = new Set(['languages', 'small-talk', 'handoff']);

function promptOf(messages: unknown): string {
  return Array.isArray(messages) ? String(messages.at(-1)?.content) : '';
}
