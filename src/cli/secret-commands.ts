import { encryptWebhookSecrets } from '../domain/webhooks/encrypt-webhook-secrets.ts';
import { requireSecretKeys } from '../server/secret-keys.ts';
import { withContext } from './cli-context.ts';
import type { Command } from './command.ts';

export const secretCommands: Readonly<Record<string, Command>> = {
  'secrets rotate': {
    usage: '[--replace-unreadable]',
    summary:
      'Encrypts all webhook secrets with the first key of SECRETS_KEY. With --replace-unreadable, replaces secrets whose key is lost, and disables their endpoints.',
    options: { 'replace-unreadable': { type: 'boolean' } },
    async run(config, call) {
      const replaceUnreadable = call.flag('replace-unreadable');
      const json = await withContext(config, call, async (context) => {
        if (!replaceUnreadable) await requireSecretKeys(context);
        return encryptWebhookSecrets(context, { replaceUnreadable });
      });
      const { encrypted, replaced } = json;
      return { text: `Encrypted: ${encrypted} endpoints. Replaced: ${replaced}.`, json };
    },
  },
};
