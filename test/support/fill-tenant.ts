import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { inviteMember } from '../../src/domain/organizations/manage-members.ts';
import { operatorClaims } from '../../src/token.ts';
import { type GraphqlClient, graphqlClient } from './graphql-client.ts';
import type { Tenant, TestService } from './service.ts';

export interface FilledTenant {
  readonly owner: string;
  readonly agent: string;
  readonly documentId: string;
  /** A conversation with citations, and one whose handoff the agent has claimed. */
  readonly conversationId: string;
  readonly claimedConversationId: string;
}

/**
 * Some weeks of a small hotel: documents, conversations, handoffs, keys, webhooks, members, usage. Everything goes the
 * way that people take; only then the past is moved to where it belongs. `say` gets each text that a colleague or a
 * stranger may write, and gives what is written instead.
 */
export async function fillTenant(
  service: TestService,
  { organizationId, projectId, key }: Tenant,
  say: (text: string) => string = (text) => text,
): Promise<FilledTenant> {
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
  const as = async (email: string) =>
    graphqlClient(service.url, await service.token(operatorClaims(email)));
  const [ines, ravi] = [await as(owner), await as(agent)];

  await ines.data(mutation('updateOrganization'), {
    input: { id: organizationId, name: say('Harbour Lights') },
  });
  await ines.data(mutation('updateProject'), {
    input: { id: projectId, name: say('Front desk'), assistant: texts(say) },
  });
  await ines.data(mutation('createProject'), { input: { organizationId, name: say('Intranet') } });
  await addDocuments(service, ines, projectId, say);
  const hooks = await startReceiver();
  try {
    await addKeysAndEndpoint(service, ines, { organizationId, projectId, say, hook: hooks.url });
    await fetch(`${service.url}/api/v1/usage`, {
      headers: { Authorization: `Bearer ${await key()}` },
    });
    const held = await hold(ines, ravi, projectId, say);
    await delivered(service, projectId);
    const document = await service.system.db.document.findFirstOrThrow({
      where: { projectId, status: 'READY' },
    });
    return { owner, agent, documentId: document.id, ...held };
  } finally {
    await hooks.stop();
    await moveToThePast(service, organizationId, projectId);
  }
}

function texts(say: (text: string) => string) {
  return {
    instructions: say('Answer politely and briefly. Give times in the 24-hour clock.'),
    fallbackText: say('I could not find that in our papers. Shall I call somebody from reception?'),
    holdingText: say('Thank you. Somebody from reception will be with you in a moment.'),
    outOfHoursText: say('Reception answers here from 08:00 to 20:00.'),
  };
}

async function addDocuments(
  service: TestService,
  ines: GraphqlClient,
  projectId: string,
  say: (text: string) => string,
): Promise<void> {
  const token = await service.token(operatorClaims('ines@harbour-lights.example'));
  for (const name of ['handbook.pdf', 'faq.md', 'rooms.csv', 'notes.txt', 'needs-password.pdf']) {
    const bytes = await readFile(new URL(`../fixtures/${name}`, import.meta.url));
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(bytes)]), say(name).replaceAll('/', ''));
    const response = await fetch(`${service.url}/dashboard/upload?projectId=${projectId}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: form,
    });
    if (!response.ok) throw new Error(await response.text());
  }
  for (const [name, content] of Object.entries(notes)) {
    const input = { projectId, name: say(name), content: say(content) };
    await ines.data(mutation('createDocument'), { input });
  }
  const unread = () =>
    service.system.db.document.count({ where: { projectId, status: 'PROCESSING' } });
  while ((await unread()) > 0) await delay(100);
}

const notes = {
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
    say,
    hook,
  }: { organizationId: string; projectId: string; say: (text: string) => string; hook: string },
): Promise<void> {
  const keys = [
    { name: say('Website'), projectId, scopes: ['CHAT'] },
    { name: say('Nightly import'), projectId, scopes: ['KNOWLEDGE_READ', 'KNOWLEDGE_WRITE'] },
    { name: say('Reports'), projectId: null, scopes: ['CONVERSATIONS_READ', 'ANALYTICS_READ'] },
  ];
  for (const input of keys) {
    const { createApiKey } = await ines.data<{ createApiKey: { secret: string } }>(
      mutation('createApiKey', 'secret'),
      { input: { organizationId, ...input } },
    );
    await fetch(`${service.url}/api/v1/usage?projectId=${projectId}`, {
      headers: { Authorization: `Bearer ${createApiKey.secret}` },
    });
  }
  await ines.data(mutation('createWebhookEndpoint', 'secret'), { input: { projectId, url: hook } });
}

/** What guests ask, how answers are rated, and what becomes of those who want a person. */
async function hold(
  ines: GraphqlClient,
  ravi: GraphqlClient,
  projectId: string,
  say: (text: string) => string,
) {
  const ask = async (endUserId: string | null, messages: readonly string[]) => {
    let said: { conversationId: string; messageId: string } | null = null;
    for (const message of messages) {
      const input: Record<string, unknown> = { projectId, message: say(message) };
      if (said !== null) input.conversationId = said.conversationId;
      else if (endUserId !== null) input.endUserId = say(endUserId);
      said = (
        await ines.data<{ sendMessage: { conversationId: string; messageId: string } }>(
          mutation('sendMessage', 'conversationId messageId'),
          { input },
        )
      ).sendMessage;
    }
    if (said === null) throw new Error('Nothing was asked');
    return said;
  };
  const rate = (messageId: string, rating: string, comment: string | null) =>
    ines.data(mutation('giveFeedback', 'rating'), {
      input: { projectId, messageId, rating, ...(comment !== null && { comment: say(comment) }) },
    });
  const handOff = async (messages: readonly string[], name: string, reason: string) => {
    const { conversationId } = await ask(`guest-${name.toLowerCase()}`, messages);
    const { requestHandoff } = await ines.data<{ requestHandoff: { id: string } }>(
      mutation('requestHandoff'),
      {
        input: {
          projectId,
          conversationId,
          name: say(name),
          email: `${name.toLowerCase()}@mail.example`,
          reason: say(reason),
        },
      },
    );
    return { conversationId, handoffId: requestHandoff.id };
  };

  for (const question of ['Do you have a swimming pool?', 'Is there a pool in the hotel?']) {
    await ask('guest-201', [question]);
  }
  const dogs = await ask('guest-305', ['Can I bring my dog?']);
  await rate(dogs.messageId, 'DOWN', 'The site says that small dogs are fine.');
  await ask(null, ['Who won the regatta last year?']);
  const breakfast = await ask('guest-114', [
    'When is breakfast on Sundays?',
    'And from Monday to Friday?',
  ]);
  await rate(breakfast.messageId, 'UP', 'Quick and right, thank you!');
  await ask('guest-210', ['How much is the family room?', 'What does late check-out cost?']);
  await ask('guest-102', ['What is the Wi-Fi password?']);
  const { conversationId } = await ask('guest-301', [
    'Where can I park my car, and what does it cost?',
    'When does the ferry to the lighthouse leave?',
  ]);

  const lost = await handOff(
    ['How long are lost items kept?'],
    'Noor',
    'I left a silver ring in room 210 and would like it sent to me.',
  );
  await ravi.data(mutation('claimHandoff'), { input: { handoffId: lost.handoffId } });
  await ravi.data(mutation('replyToConversation'), {
    input: {
      conversationId: lost.conversationId,
      content: say('Good morning, Noor. We have found it, and can post it today.'),
    },
  });
  await ravi.data(mutation('resolveHandoff'), { input: { handoffId: lost.handoffId } });
  const crib = await handOff(
    ['Can I get a cot for my baby?', 'I would need two of them.'],
    'Mateo',
    'Two cots from Friday to Sunday, please.',
  );
  await ravi.data(mutation('claimHandoff'), { input: { handoffId: crib.handoffId } });
  await ravi.data(mutation('replyToConversation'), {
    input: {
      conversationId: crib.conversationId,
      content: say('Hello Mateo, that is no problem. Which name is the booking under?'),
    },
  });
  await ask(null, ['Can I cancel my booking?']);
  await handOff(['Do you host weddings?'], 'Amelie', 'We plan a wedding for 40 people in June.');
  await handOff(
    ['The room is too cold, and nobody answers the telephone.'],
    'Jonas',
    'The heating in 305 does not work.',
  );
  return { conversationId, claimedConversationId: crib.conversationId };
}

/** A mutation of which nothing but the id is wanted. */
function mutation(name: string, wanted = 'id'): string {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
  return `mutation ($input: ${type}!) { ${name}(input: $input) { ${wanted} } }`;
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

async function delivered({ system }: TestService, projectId: string): Promise<void> {
  const pending = () =>
    system.db.webhookDelivery.count({ where: { projectId, status: 'PENDING' } });
  for (let waits = 0; waits < 100 && (await pending()) > 0; waits++) await delay(100);
}

/** As if it had come about over four weeks, the newest conversation a few minutes ago. */
async function moveToThePast(
  { owner }: TestService,
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
       claimed_at = claimed_at - moved.age, resolved_at = resolved_at - moved.age
     from moved where moved.id = handoff.conversation_id`,
    [projectId],
  );
  await owner.query(
    `${moved} update grounded.conversations conversation
     set created_at = created_at - moved.age, last_message_at = last_message_at - moved.age
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
