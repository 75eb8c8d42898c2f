import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rateHandoff } from '../../../src/domain/handoff/rate-handoff.ts';
import { inviteMember } from '../../../src/domain/organizations/manage-members.ts';
import { newId } from '../../../src/platform/ids.ts';
import { operatorClaims } from '../../../src/server/token.ts';
import { type GraphqlClient, graphqlClient } from '../api/graphql-client.ts';
import { inputMutation } from '../api/input-mutation.ts';
import type { Tenant, TestService } from '../service.ts';
import { waitUntil } from '../wait-until.ts';
import { seedConversations } from './seed-conversations.ts';

export interface SeededTenant {
  readonly owner: string;
  readonly agent: string;
  readonly documentId: string;
  /** Id of a conversation with citations. */
  readonly conversationId: string;
  /** Id of a conversation with a resolved handoff that the end user has rated. */
  readonly ratedConversationId: string;
  /** Id of a conversation whose handoff the agent has claimed. */
  readonly claimedConversationId: string;
}

/**
 * Creates the data of a small hotel for four weeks: documents, conversations, handoffs, keys, webhooks, members, usage.
 * All data is created through the API. Then its times are moved into the past.
 * @param rewriteText receives each text that a user wrote and returns the text to store instead.
 */
export async function seedTenant(
  service: TestService,
  { organizationId, projectId, key }: Tenant,
  rewriteText: (text: string) => string = (text) => text,
): Promise<SeededTenant> {
  const [owner, agent] = ['ines@harbour-lights.example', 'ravi@harbour-lights.example'];
  const members = [
    [owner, 'OWNER'],
    ['tomas@harbour-lights.example', 'ADMIN'],
    [agent, 'AGENT'],
    ['lena@harbour-lights.example', 'AGENT'],
    ['auditor@ledger.example', 'VIEWER'],
  ] as const;
  for (const [email, role] of members) {
    await inviteMember(service.system, { organizationId, email, role });
  }
  const clientFor = async (email: string) =>
    graphqlClient(service.url, await service.token(operatorClaims(email)));
  const [ines, ravi] = [await clientFor(owner), await clientFor(agent)];

  await ravi.data(inputMutation('setDisplayName'), {
    input: { organizationId, displayName: 'Ravi' },
  });
  await ines.data(inputMutation('updateOrganization'), {
    input: { id: organizationId, name: rewriteText('Harbour Lights') },
  });
  await ines.data(inputMutation('updateProject'), {
    input: {
      id: projectId,
      name: rewriteText('Front desk'),
      assistant: assistantTexts(rewriteText),
      asksForSatisfaction: true,
    },
  });
  await ines.data(inputMutation('createSavedReply'), {
    input: {
      projectId,
      name: 'Cancellation',
      content: rewriteText(
        'Dear {{visitor}}, you can cancel free of charge until two days before. {{agent}}',
      ),
    },
  });
  await ines.data(inputMutation('createProject'), {
    input: { organizationId, name: rewriteText('Intranet') },
  });
  await uploadDocuments(service, ines, projectId, rewriteText);
  await addSource(service, ines, projectId, rewriteText);
  const receiver = await startReceiver();
  try {
    await addKeysAndEndpoint(service, ines, {
      organizationId,
      projectId,
      rewriteText,
      webhookUrl: receiver.url,
    });
    await fetch(`${service.url}/api/v1/usage`, {
      headers: { Authorization: `Bearer ${await key()}` },
    });
    const held = await seedConversations(ines, ravi, projectId, rewriteText);
    const { id: handoffId } = await service.system.db.handoff.findFirstOrThrow({
      where: { conversationId: held.ratedConversationId },
    });
    const comment = rewriteText('The ring arrived after two days. Thank you, Ravi!');
    await rateHandoff(service.system, { projectId, handoffId, rating: 5, comment });
    await waitForDeliveries(service, projectId);
    const document = await service.system.db.document.findFirstOrThrow({
      where: { projectId, status: 'READY' },
    });
    return { owner, agent, documentId: document.id, ...held };
  } finally {
    await receiver.stop();
    await backdate(service, organizationId, projectId);
  }
}

function assistantTexts(rewriteText: (text: string) => string) {
  return {
    instructions: rewriteText('Answer politely and briefly. Give times in the 24-hour clock.'),
    fallbackText: rewriteText(
      'I could not find that in our papers. Shall I call somebody from reception?',
    ),
    holdingText: rewriteText('Thank you. Somebody from reception will be with you in a moment.'),
    outOfHoursText: rewriteText('Reception answers here from 08:00 to 20:00.'),
  };
}

async function uploadDocuments(
  service: TestService,
  ines: GraphqlClient,
  projectId: string,
  rewriteText: (text: string) => string,
): Promise<void> {
  const token = await service.token(operatorClaims('ines@harbour-lights.example'));
  for (const name of ['handbook.pdf', 'faq.md', 'rooms.csv', 'notes.txt', 'needs-password.pdf']) {
    const bytes = await readFile(new URL(`../../fixtures/${name}`, import.meta.url));
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(bytes)]), rewriteText(name).replaceAll('/', ''));
    const response = await fetch(`${service.url}/dashboard/upload?projectId=${projectId}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: form,
    });
    if (!response.ok) throw new Error(await response.text());
  }
  for (const [name, content] of Object.entries(textDocuments)) {
    const input = { projectId, name: rewriteText(name), content: rewriteText(content) };
    await ines.data(inputMutation('createDocument'), { input });
  }
  const where = { projectId, status: 'PROCESSING' as const };
  const areRead = async () => (await service.system.db.document.count({ where })) === 0;
  await waitUntil(areRead, { timeoutMs: 120_000, intervalMs: 100 });
}

/** Adds a website that was read once. The documents of its pages do not exist. */
async function addSource(
  { system }: TestService,
  ines: GraphqlClient,
  projectId: string,
  rewriteText: (text: string) => string,
): Promise<void> {
  const startUrls = ['https://harbour-lights.example/help/'];
  const input = { projectId, kind: 'WEBSITE', schedule: '0 3 * * *', config: { startUrls } };
  const { createSource } = await ines.data<{ createSource: { id: string } }>(
    inputMutation('createSource'),
    { input: { ...input, name: rewriteText('Website of the hotel') } },
  );
  const counts = { fetched: 14, added: 9, changed: 1, unchanged: 2, refused: 2 };
  const refusals = ['rates.xyz', 'gallery'].map((path) => ({
    url: `${startUrls}${path}`,
    reason: rewriteText('The page has no text'),
  }));
  const sourceId = createSource.id;
  await system.db.sourceRun.create({
    data: { id: newId(), sourceId, projectId, finishedAt: new Date(), ...counts, refusals },
  });
}

const textDocuments = {
  'Parking and arrival by car':
    'Parking in the courtyard costs 12 euros a night. The gate opens with the room card from 15:00 on. Cars higher than 2.10 metres park at the quay, which is free.',
  'Boat trips':
    'The ferry to the lighthouse leaves at 10:00 and 14:00 from May to September. Tickets cost 18 euros for adults and 9 euros for children, and are sold at reception.',
};

async function addKeysAndEndpoint(
  service: TestService,
  ines: GraphqlClient,
  {
    organizationId,
    projectId,
    rewriteText,
    webhookUrl,
  }: {
    organizationId: string;
    projectId: string;
    rewriteText: (text: string) => string;
    webhookUrl: string;
  },
): Promise<void> {
  const keys = [
    { name: rewriteText('Website'), projectId, scopes: ['CHAT'] },
    {
      name: rewriteText('Nightly import'),
      projectId,
      scopes: ['KNOWLEDGE_READ', 'KNOWLEDGE_WRITE'],
    },
    {
      name: rewriteText('Reports'),
      projectId: null,
      scopes: ['CONVERSATIONS_READ', 'ANALYTICS_READ'],
    },
  ];
  for (const input of keys) {
    const { createApiKey } = await ines.data<{ createApiKey: { secret: string } }>(
      inputMutation('createApiKey', 'secret'),
      { input: { organizationId, ...input } },
    );
    await fetch(`${service.url}/api/v1/usage?projectId=${projectId}`, {
      headers: { Authorization: `Bearer ${createApiKey.secret}` },
    });
  }
  await ines.data(inputMutation('createWebhookEndpoint', 'secret'), {
    input: { projectId, url: webhookUrl },
  });
}

async function startReceiver() {
  const server = createServer((request, response) => {
    request.resume();
    response.statusCode = 204;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/grounded-chat`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

async function waitForDeliveries({ system }: TestService, projectId: string): Promise<void> {
  const where = { projectId, status: 'PENDING' as const };
  const areSent = async () => (await system.db.webhookDelivery.count({ where })) === 0;
  // A failed delivery stays pending for a long time, and the dashboard shows it so.
  await waitUntil(areSent, { timeoutMs: 10_000, intervalMs: 100 }).catch(() => {});
}

/** Spreads the data over the last four weeks. The newest conversation is a few minutes old. */
async function backdate(
  { ownerPool: owner }: TestService,
  organizationId: string,
  projectId: string,
): Promise<void> {
  const moved = `with moved as (
    select id, make_interval(mins => (rank - 1) * rank * 45) as age
    from (select id, row_number() over (order by id desc)::int as rank
          from grounded.conversations where project_id = $1) ranked
  )`;
  await owner.query(
    `${moved} update grounded.messages message set created_at = message.created_at - moved.age
     from moved where message.project_id = $1 and moved.id = message.conversation_id`,
    [projectId],
  );
  await owner.query(
    `${moved} update grounded.handoffs handoff set requested_at = requested_at - moved.age,
       claimed_at = claimed_at - moved.age, resolved_at = resolved_at - moved.age,
       first_reply_at = first_reply_at - moved.age, first_reply_due_at = first_reply_due_at - moved.age,
       resolution_due_at = resolution_due_at - moved.age
     from moved where moved.id = handoff.conversation_id`,
    [projectId],
  );
  await owner.query(
    `${moved} update grounded.conversation_events event set created_at = event.created_at - moved.age
     from moved where event.project_id = $1 and moved.id = event.conversation_id`,
    [projectId],
  );
  await owner.query(
    `${moved} update grounded.conversations conversation
     set created_at = created_at - moved.age, last_message_at = last_message_at - moved.age, channel = 'WIDGET'
     from moved where moved.id = conversation.id`,
    [projectId],
  );
  await owner.query(
    `update grounded.documents document set created_at = created_at - make_interval(days => rank * 3)
     from (select id, row_number() over (order by id desc)::int as rank
           from grounded.documents where project_id = $1) ranked
     where ranked.id = document.id`,
    [projectId],
  );
  await owner.query(
    `update grounded.webhook_endpoints set url = 'https://hooks.harbour-lights.example/grounded-chat'
     where project_id = $1`,
    [projectId],
  );
  await owner.query(
    `insert into grounded.usage_days
       (organization_id, day, messages, input_tokens, output_tokens, embedding_tokens)
     select $1, (now() at time zone 'UTC')::date - ago, messages, messages * 410, messages * 46, messages * 18
     from generate_series(1, 28) ago,
       lateral (select case when extract(isodow from now()::date - ago) > 5 then 60 else 120 end
                  + (ago * 37) % 50 as messages) amounts
     on conflict do nothing`,
    [organizationId],
  );
  await owner.query(
    `update grounded.usage_periods period set messages = days.messages, input_tokens = days.input_tokens,
       output_tokens = days.output_tokens, embedding_tokens = days.embedding_tokens
     from (select sum(messages) as messages, sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens,
             sum(embedding_tokens) as embedding_tokens
           from grounded.usage_days
           where organization_id = $1 and day >= date_trunc('month', now() at time zone 'UTC')) days
     where organization_id = $1`,
    [organizationId],
  );
}
