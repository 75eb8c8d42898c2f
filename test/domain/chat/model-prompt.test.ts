import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sendMessage } from '../../../src/domain/chat/send-message.ts';
import { uploadDocument } from '../../../src/domain/knowledge/create-document.ts';
import { updateProject } from '../../../src/domain/organizations/projects.ts';
import { defaultContextLimits } from '../../../src/models/context-limits.ts';
import { withUploadedFile } from '../../../src/platform/storage/uploaded-file.ts';
import { estimateTokens } from '../../../src/text/estimate-tokens.ts';
import { waitForDocuments } from '../../support/knowledge.ts';
import type { OpenAiServer, RecordedRequest } from '../../support/servers/openai-server.ts';
import type { TestService } from '../../support/service.ts';
import { startServiceWithModel } from '../../support/service-with-model.ts';

const parts =
  'anchor beacon cradle dynamo engine falcon garnet harbor island jigsaw kettle lantern magnet nebula orchid pepper quartz rocket saddle tunnel umbrella velvet walnut xenon'.split(
    ' ',
  );
const linesOf = (count: number, line: (part: string, index: number) => string) =>
  parts.slice(0, count).map(line).join('\n');

const longHeadings = `# Handbook for the administrators of the appliance and everybody else who operates it every day

## Reference of all settings that administrators may change while the appliance is running

### Limits of the parts that may run for a certain time only, and are switched off afterwards`;

/** Each file except the ports is split into several chunks. */
const files = {
  'Settings.md': `${longHeadings}

Times are in seconds.

| Setting | Default | Highest | Meaning |
|---|---|---|---|
${linesOf(24, (part, index) => `| ${part.toUpperCase()}_LIMIT | ${index * 7 + 3} | ${index * 9 + 40} | How long the ${part} may run before the appliance switches it off again |`)}`,
  'Upgrade.md': `# Upgrade of the appliance

Follow these steps to upgrade the appliance:

${linesOf(
  12,
  (part, index) => `${index + 1}. Stop the ${part} service and wait for its last record:

    \`\`\`sh
    appliancectl stop ${part} --wait --timeout ${index + 10}
    \`\`\`
`,
)}`,
  'Warranty.md': `# Warranty

The warranty does not cover these parts, because they wear out:

${linesOf(24, (part) => `- The ${part} cover, which protects the ${part} of the frame against water and dust`)}`,
  'Storage.md': `# Storage of harvested honey

## Cooling room

${linesOf(
  9,
  (
    part,
  ) => `The ${part} shelf of the cooling room holds the jars of the ${part} hive, with their labels to the front.
`,
)}
The compressor of the cooling room is serviced in February by Kallis.

## Cellar

The cellar is dry.`,
  'Ports.md': `# Ports

| Port | Service | Allowed from |
|---|---|---|
| 8443 | Console | <ul><li>the <b>office</b></li><li>the VPN</li></ul> |
| 5044 | Collector | every branch |`,
  'Shipping.csv': `Product,Weight (kg),Price (EUR)
${linesOf(24, (part, index) => `${part} crate,${index + 2}.5,${index * 10 + 9}`)}`,
  'Observations.csv': `Incident,Observed
${linesOf(12, (part, index) => `incident ${index + 1},${`The ${part} was observed at the station. `.repeat(14).trim()}`)}`,
  'Incidents.csv': `Incident,Report
${linesOf(10, (part, index) => `blackout ${index + 1},${`The ${part} failed in the storm. `.repeat(56).trim()}`)}`,
};

let models: OpenAiServer;
let service: TestService;
let projectId: string;

beforeAll(async () => {
  ({ models, service } = await startServiceWithModel());
  ({ projectId } = await service.createTenant());
  const { system } = service;
  const documents = await Promise.all(
    Object.entries(files).map(([name, text]) =>
      withUploadedFile(name, Buffer.from(text), (file) =>
        uploadDocument(system, { projectId, file }),
      ),
    ),
  );
  await waitForDocuments(
    service,
    projectId,
    documents.map(({ id }) => id),
  );
});
afterAll(() => service?.stop());

interface PromptSource {
  readonly number: number;
  readonly name: string;
  readonly place: string;
  readonly text: string;
}

function messagesOf(request: RecordedRequest | undefined): string[] {
  const messages = request?.body.messages;
  return Array.isArray(messages) ? messages.map(({ content }) => String(content)) : [];
}

/** Returns the sources that the model receives for a question, in the order in which the prompt lists them. */
async function sourcesFor(message: string): Promise<PromptSource[]> {
  await sendMessage(service.system, { projectId, message });
  const prompt = messagesOf(models.requests.at(-1)).at(-1) ?? '';
  expect(prompt.endsWith(`\n\nQuestion:\n${message}`)).toBe(true);
  const pattern =
    /<source-(\w+) number="(\d+)">\nDocument: (.*)\n(?:Place: (.*)\n)?\n([\s\S]*?)\n<\/source-\1>/g;
  const sources = [...prompt.matchAll(pattern)].map(
    ([, , number, name = '', place = '', text = '']) => ({
      ...{ number: Number(number), name, place, text },
    }),
  );
  const numbers = sources.map(({ number }) => number).toSorted((left, right) => left - right);
  expect(numbers).toEqual(sources.map((_, index) => index + 1));
  return sources;
}

const textsOf = (sources: readonly PromptSource[], name: string) =>
  sources.filter((source) => source.name === name).map(({ text }) => text);

test("the model is told the date in the project's time zone", async () => {
  vi.setSystemTime('2026-11-28T23:30:00Z');
  try {
    await updateProject(service.system, {
      id: projectId,
      assistant: { businessHours: { timeZone: 'Europe/Berlin', weekly: [] } },
    });
    await sendMessage(service.system, { projectId, message: 'Which ports does the console use?' });
    const [system] = messagesOf(models.requests.at(-1));
    expect(system).toContain('Today is Sunday, 29 November 2026 (Europe/Berlin).');
  } finally {
    vi.useRealTimers();
  }
});

test('a row from the middle of a table has its column titles and caption above it', async () => {
  const sources = await sourcesFor('What is the default of QUARTZ_LIMIT?');
  const source = sources.find(({ text }) => text.includes('QUARTZ_LIMIT | 115 | 184 |'));
  expect(source?.text).not.toContain('ANCHOR_LIMIT');
  expect(source?.text).toMatch(
    /^Times are in seconds\.\nSetting \| Default \| Highest \| Meaning\n\w+_LIMIT \| /,
  );
  expect(source?.place).toMatch(/ › Limits of the parts .* switched off afterwards$/);
});

test('the steps of a procedure are in order, each with its command', async () => {
  const steps = textsOf(await sourcesFor('How do I upgrade the appliance?'), 'Upgrade.md');
  expect(steps.length).toBeGreaterThan(1);
  const lines = steps.join('\n').split('\n').filter(Boolean);
  expect(lines.filter((line) => line.startsWith('Follow these steps'))).toHaveLength(steps.length);
  expect(lines.filter((line) => /^(?:\d+\. |appliancectl)/.test(line))).toEqual(
    parts
      .slice(0, 12)
      .flatMap((part, index) => [
        `${index + 1}. Stop the ${part} service and wait for its last record:`,
        `appliancectl stop ${part} --wait --timeout ${index + 10}`,
      ]),
  );
});

test('each part of a list has the introduction of the list above it', async () => {
  const texts = textsOf(
    await sourcesFor('Does the warranty cover the lantern cover?'),
    'Warranty.md',
  );
  expect(texts.join()).toContain('- The lantern cover');
  for (const text of texts) {
    expect(text).toMatch(/because they wear out:\n+- The \w+ cover/);
  }
});

test('a short section is there as a whole, from its heading to its end', async () => {
  const texts = textsOf(
    await sourcesFor('Who services the compressor of the cooling room?'),
    'Storage.md',
  );
  expect(texts.length).toBeGreaterThan(1);
  const text = texts.join('\n');
  for (const part of parts.slice(0, 9)) expect(text).toContain(`The ${part} shelf`);
  expect(text).toContain('serviced in February');
});

test('a cell with HTML is text', async () => {
  const [source] = await sourcesFor('From where is port 8443 allowed?');
  expect(source).toMatchObject({ number: 1, name: 'Ports.md' });
  expect(source?.text).toContain(
    '\nPort | Service | Allowed from\n8443 | Console | the office; the VPN\n',
  );
});

test('a row of a CSV file has the title and unit of each value', async () => {
  const texts = textsOf(await sourcesFor('What does the walnut crate weigh?'), 'Shipping.csv');
  const text = texts.find((text) => text.includes('walnut'));
  expect(text).not.toContain('anchor');
  expect(text).toContain('\nProduct: walnut crate; Weight (kg): 24.5; Price (EUR): 229\n');
});

test('there are as many passages as the limit of tokens allows', async () => {
  const sources = await sourcesFor('Which blackout was in the storm?');
  const tokens = sources.map(({ text }) => estimateTokens(text));
  const sum = tokens.reduce((total, count) => total + count, 0);
  expect(sum).toBeLessThanOrEqual(defaultContextLimits.maxTokens);
  expect(sum + Math.max(...tokens)).toBeGreaterThan(defaultContextLimits.maxTokens);
  expect(sources.length).toBeLessThan(defaultContextLimits.maxChunks);
});

test('there are as many passages as the limit of chunks allows', async () => {
  const sources = await sourcesFor('Which incident was observed at the station?');
  expect(sources).toHaveLength(defaultContextLimits.maxChunks);
});
