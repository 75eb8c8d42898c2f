import type { ShellBlock } from '../markdown-blocks.ts';
import { startGitServer } from '../servers/git-server.ts';
import { type NotionServer, paragraph, startNotionServer } from '../servers/notion-server.ts';
import { startS3Server } from '../servers/s3-server.ts';
import { pageOf, startWebsite } from '../servers/website.ts';

/** The servers that the blocks of `docs/guides/sources.md` read. Their names and secrets are those of the page. */
export interface ExampleSources {
  /** Settings with which the service reads these servers. */
  readonly settings: Readonly<Record<string, string>>;
  /**
   * Replaces the example addresses in the blocks of the page by those of the servers.
   * @throws Error if no block has an address, because a server would then be read by no block
   */
  withAddresses(blocks: readonly ShellBlock[]): ShellBlock[];
  close(): Promise<void>;
}

export async function startExampleSources(): Promise<ExampleSources> {
  const [website, git, s3, notion] = await Promise.all([
    startWebsite(),
    startGitServer(),
    startS3Server(),
    startNotionServer(),
  ]);
  const links = ['/help/returns', '/help/delivery', '/shop'];
  website.pages.set('/help/', pageOf('Help', 'Ask us anything.', links));
  website.pages.set('/help/returns', pageOf('Returns', 'Return items within 30 days.'));
  website.pages.set('/help/delivery', pageOf('Delivery', 'Delivery costs 5 euros.'));
  website.pages.set('/shop', pageOf('Shop', 'Not in the help center.'));
  await git.commit({ 'docs/a.md': 'Open at 9.', 'docs/b.md': 'Close at 5.', 'c.md': 'No.' });
  git.authorization = `Basic ${Buffer.from('git:github_pat_EXAMPLE').toString('base64')}`;
  for (const key of ['public/prices.md', 'public/rooms.md', 'private/salaries.md']) {
    s3.objects.set(key, Buffer.from(`This is ${key}.`));
  }
  addNotionPages(notion);
  const addresses = [
    ['https://example.com/help/', `${website.url}/help/`],
    ['https://github.com/example/handbook', git.url],
    ['https://s3.eu-central-1.amazonaws.com', s3.url],
  ] as const;
  return {
    settings: { ALLOW_PRIVATE_SOURCES: 'true', NOTION_API_URL: notion.url },
    withAddresses(blocks) {
      for (const [example] of addresses) {
        if (!blocks.some(({ code }) => code.includes(example))) throw new Error(`no ${example}`);
      }
      const replaceAll = (code: string) =>
        addresses.reduce((text, [example, address]) => text.replaceAll(example, address), code);
      return blocks.map((block) => ({ ...block, code: replaceAll(block.code) }));
    },
    async close() {
      await Promise.all([website, git, s3, notion].map((server) => server.close()));
    },
  };
}

function addNotionPages({ pages }: NotionServer): void {
  const root = '1a2b3c4d-5e6f-4a1b-8c2d-3e4f5a6b7c8d';
  pages.set(root, { title: 'Handbook', blocks: [paragraph('Welcome.')] });
  pages.set('2a2b3c4d-5e6f-4a1b-8c2d-3e4f5a6b7c8d', {
    ...{ title: 'Holidays', blocks: [paragraph('28 days a year.')] },
    parent: { type: 'page_id', page_id: root },
  });
  pages.set('3a2b3c4d-5e6f-4a1b-8c2d-3e4f5a6b7c8d', {
    ...{ title: 'Drafts', blocks: [paragraph('Not below the root.')] },
  });
}
