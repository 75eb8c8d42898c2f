import { inviteMember } from '../../../src/domain/organizations/manage-members.ts';
import type { Role } from '../../../src/platform/postgres/generated/prisma/enums.ts';
import { operatorClaims } from '../../../src/server/token.ts';
import { type GraphqlClient, graphqlClient } from '../api/graphql-client.ts';
import { type CapturedLog, captureLog } from '../captured-log.ts';
import { startTestService, type TestService } from '../service.ts';
import { type MailServer, startMailServer } from './mail-server.ts';

/** A service that sends e-mail and has no worker. */
export interface MailedService {
  readonly service: TestService;
  readonly mailServer: MailServer;
  readonly log: CapturedLog;
  /** Invites an operator. The operator joins by signing in. */
  member(organizationId: string, role: Role, email: string): Promise<GraphqlClient>;
  stop(): Promise<void>;
}

export async function startMailedService(): Promise<MailedService> {
  const log = captureLog();
  const mailServer = await startMailServer();
  const service = await startTestService({
    isWorker: false,
    log: log.log,
    publicUrl: 'https://chat.example.com',
    mail: { smtpUrl: mailServer.url, from: 'Help desk <chat@example.com>' },
  });
  return {
    service,
    mailServer,
    log,
    async member(organizationId, role, email) {
      await inviteMember(service.system, { organizationId, email, role });
      const client = graphqlClient(service.url, await service.token(operatorClaims(email)));
      await client.data('{ me { memberships { id } } }');
      return client;
    },
    async stop() {
      await service.stop();
      await mailServer.stop();
    },
  };
}
