import type { Browser, BrowserContextOptions } from 'playwright-core';
import { inviteMember } from '../../../src/domain/organizations/manage-members.ts';
import type { Role } from '../../../src/platform/postgres/generated/prisma/enums.ts';
import { startTestService, type Tenant, type TestService } from '../service.ts';
import { type OpenPage, signIn, startBrowser } from './browser.ts';

/** A service with one organization, and a browser in which its members sign in. */
export interface DashboardTest {
  readonly service: TestService;
  readonly tenant: Tenant;
  readonly browser: Browser;
  /** Creates a member and signs in this member in a separate browser context. */
  member(email: string, role: Role, options?: BrowserContextOptions): Promise<OpenPage>;
  stop(): Promise<void>;
}

export async function startDashboardTest(
  options: Parameters<typeof startTestService>[0] = {},
): Promise<DashboardTest> {
  const service = await startTestService({ allowPrivateWebhooks: true, ...options });
  const tenant = await service.createTenant();
  const browser = await startBrowser();
  return {
    service,
    tenant,
    browser,
    async member(email, role, options) {
      const { organizationId } = tenant;
      await inviteMember(service.system, { organizationId, email, role });
      return signIn(browser, service, email, options);
    },
    async stop() {
      await browser.close();
      await service.stop();
    },
  };
}
