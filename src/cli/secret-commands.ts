import { encryptSourceSecrets } from '../domain/sources/encrypt-source-secrets.ts';
import { encryptWebhookSecrets } from '../domain/webhooks/encrypt-webhook-secrets.ts';
import { requireSecretKeys } from '../server/secret-keys.ts';
import { withContext } from './cli-context.ts';
import type { Command } from './command.ts';

export const secretCommands: Readonly<Record<string, Command>> = {
  'secrets rotate': {
    usage: '[--replace-unreadable]',
    summary:
      'Encrypts all secrets of webhooks and sources with the first key of SECRETS_KEY. With --replace-unreadable, replaces secrets whose key is lost, disables their endpoints and pauses their sources.',
    options: { 'replace-unreadable': { type: 'boolean' } },
    async run(config, call) {
      const replaceUnreadable = call.flag('replace-unreadable');
      const json = await withContext(config, call, async (context) => {
        if (!replaceUnreadable) await requireSecretKeys(context);
        const endpoints = await encryptWebhookSecrets(context, { replaceUnreadable });
        const sources = await encryptSourceSecrets(context, { replaceUnreadable });
        return { ...endpoints, sources };
      });
      const { encrypted, replaced, sources } = json;
      const text = [
        `Encrypted: ${encrypted} endpoints. Replaced: ${replaced}.`,
        `Encrypted: ${sources.encrypted} sources. Removed: ${sources.replaced}.`,
      ].join('\n');
      return { text, json };
    },
  },
};
