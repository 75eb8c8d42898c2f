import { setTimeout as delay } from 'node:timers/promises';
import { createApiKey } from '../src/domain/api-keys/api-keys.ts';
import { type Adapters, type Context, createSystemContext } from '../src/domain/context.ts';
import { createDocument } from '../src/domain/knowledge/create-document.ts';
import { inviteMember } from '../src/domain/organizations/manage-members.ts';
import { createOrganization } from '../src/domain/organizations/organizations.ts';
import { createProject } from '../src/domain/organizations/projects.ts';
import { ApiKeyScope } from '../src/platform/postgres/generated/prisma/enums.ts';
import { runSql } from '../src/platform/postgres/run-sql.ts';

export interface Demo {
  readonly projectId: string;
  /** The API key itself. The database stores only its hash. */
  readonly secret: string;
}

/**
 * Email address of the demo organization's owner. Anyone who can read the output of the service can sign in as this
 * user.
 */
export const demoOperatorEmail = 'operator@localhost';

/**
 * Creates an API key with all scopes for the demo project. Creates the project with its organization and a document, and
 * invites the owner, where they are missing.
 */
export async function seedDemo(adapters: Adapters, owner = demoOperatorEmail): Promise<Demo> {
  const context = createSystemContext(adapters, new AbortController().signal);
  const { id: projectId, organizationId } =
    (await findDemoProject(context)) ?? (await createDemoProject(context));
  const member = { organizationId, email: owner.toLowerCase() };
  if ((await context.db.member.count({ where: member })) === 0)
    await inviteMember(context, { ...member, role: 'OWNER' });
  const { secret } = await createApiKey(context, {
    organizationId,
    projectId,
    name: 'Demo key',
    scopes: Object.values(ApiKeyScope),
  });
  return { projectId, secret };
}

const organizationName = 'Demo';
const projectName = 'Demo project';

function findDemoProject({ db }: Context) {
  return db.project.findFirst({
    where: { name: projectName, organization: { name: organizationName } },
    orderBy: { id: 'asc' },
    select: { id: true, organizationId: true },
  });
}

async function createDemoProject(context: Context) {
  const { id: organizationId } = await createOrganization(context, {
    name: organizationName,
    plan: 'scale',
  });
  const { id } = await createProject(context, { organizationId, name: projectName });
  await createDocument(context, { projectId: id, name: 'Welcome.md', content: welcomeDocument });
  return { id, organizationId };
}

/** Waits until the demo document is searchable, but at most about ten seconds: slow machines may need longer. */
export async function waitForDemoDocument(
  { prisma }: Adapters,
  { projectId }: Demo,
): Promise<void> {
  for (let waits = 0; waits < 100; waits++) {
    const processing = await prisma.document.count({ where: { projectId, status: 'PROCESSING' } });
    if (processing === 0) return;
    await delay(100);
  }
}

/**
 * Returns whether the database has no organization yet. By SQL, because a start should not load Prisma's query compiler.
 */
export async function isDatabaseEmpty({ pool }: Adapters): Promise<boolean> {
  return (await runSql(pool, 'select from grounded.organizations limit 1')).length === 0;
}

const welcomeDocument = `# Welcome to grounded-chat

grounded-chat answers questions from the documents of your project and cites the sources of each answer.

## Adding knowledge

You can upload files of 18 formats: PDF, Word (DOCX), Excel (XLSX), PowerPoint (PPTX), OpenDocument text (ODT), RTF, plain text (TXT), Markdown, HTML, CSV, JSON, JSONL, EPUB, e-mails (EML), and images (PNG, JPEG, WebP, TIFF), whose text is recognized.
You can also create a document from raw text.
Excel files become tables: each row is found with the names of its columns.
A document is PROCESSING while it is read, split into chunks and embedded. It is READY when its chunks can be found.

## Asking

Each answer carries citations of the chunks it was grounded on, and a confidence between 0 and 1.
If the documents do not contain the answer, the assistant says that it does not know.

## Keys

An API key is shown once, when it is made. Only its SHA-256 hash is stored.
To revoke an API key, open Developer, API keys in the dashboard, or run the command: npm run cli -- keys revoke ID
A revoked key is refused from the next request on.
`;
