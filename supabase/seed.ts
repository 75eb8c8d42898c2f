import { setTimeout as delay } from 'node:timers/promises';
import { createApiKey } from '../src/domain/api-keys/api-keys.ts';
import { type Adapters, systemContext } from '../src/domain/context.ts';
import { ApiKeyScope } from '../src/domain/generated/prisma/enums.ts';
import { createDocument } from '../src/domain/knowledge/create-document.ts';
import { inviteMember } from '../src/domain/organizations/manage-members.ts';
import { createOrganization } from '../src/domain/organizations/organizations.ts';
import { createProject } from '../src/domain/organizations/projects.ts';

export interface Demo {
  readonly projectId: string;
  /** The text of the key, which is not kept anywhere. */
  readonly secret: string;
}

/** Owner of the demo organization: whoever can read what the service prints. */
export const demoOperator = 'operator@localhost';

/** Makes a demo organization with a project, a first document, and a key with every scope. */
export async function seedDemo(adapters: Adapters): Promise<Demo> {
  const context = systemContext(adapters, new AbortController().signal);
  const organization = await createOrganization(context, { name: 'Demo', plan: 'scale' });
  await inviteMember(context, {
    organizationId: organization.id,
    email: demoOperator,
    role: 'OWNER',
  });
  const project = await createProject(context, {
    organizationId: organization.id,
    name: 'Demo project',
  });
  await createDocument(context, { projectId: project.id, name: 'Welcome.md', content: welcome });
  const { secret } = await createApiKey(context, {
    organizationId: organization.id,
    projectId: project.id,
    name: 'Demo key',
    scopes: Object.values(ApiKeyScope),
  });
  return { projectId: project.id, secret };
}

/** Waits until the demo's document can be asked about, for a while: a slow machine may still be reading it then. */
export async function demoIsRead({ prisma }: Adapters, { projectId }: Demo): Promise<void> {
  for (let waits = 0; waits < 100; waits++) {
    const unread = await prisma.document.count({ where: { projectId, status: 'PROCESSING' } });
    if (unread === 0) return;
    await delay(100);
  }
}

/** Whether nobody has used this database yet. */
export async function isEmpty({ prisma }: Adapters): Promise<boolean> {
  return (await prisma.organization.findFirst({ select: { id: true } })) === null;
}

const welcome = `# Welcome to grounded-chat

grounded-chat answers questions from the documents of your project and says where each answer stands.

## Adding knowledge

You can upload PDF, DOCX, TXT, CSV and Markdown files, or create a document from raw text.
A document is PROCESSING while it is read, split into chunks and embedded. It is READY when its chunks can be found.

## Asking

Each answer carries citations of the chunks it was grounded on, and a confidence between 0 and 1.
If the documents do not hold the answer, the assistant says that it does not know.

## Keys

An API key is shown once, when it is made. Only its SHA-256 hash is stored.
A revoked key is refused from the next request on.
`;
