import type { Context } from '../domain/context.ts';
import { encryptSourceSecrets } from '../domain/sources/encrypt-source-secrets.ts';
import { encryptWebhookSecrets } from '../domain/webhooks/encrypt-webhook-secrets.ts';
import { encryptIdentitySecrets } from '../domain/widget/encrypt-identity-secrets.ts';
import { requireSecretKeys } from '../server/secret-keys.ts';
import { withContext } from './cli-context.ts';
import type { Command } from './command.ts';

export const secretCommands: Readonly<Record<string, Command>> = {
  'secrets rotate': {
    usage: '[--replace-unreadable]',
    summary:
      'Encrypts all secrets of webhooks, sources and widgets with the first key of SECRETS_KEY. With --replace-unreadable, replaces secrets whose key is lost, disables their endpoints and pauses their sources.',
    options: { 'replace-unreadable': { type: 'boolean' } },
    async run(config, call) {
      const replaceUnreadable = call.flag('replace-unreadable');
      const rotate = async (context: Context) => {
        if (!replaceUnreadable) await requireSecretKeys(context);
        const endpoints = await encryptWebhookSecrets(context, { replaceUnreadable });
        const sources = await encryptSourceSecrets(context, { replaceUnreadable });
        const widgets = await encryptIdentitySecrets(context, { replaceUnreadable });
        return { ...endpoints, sources, widgets };
      };
      const options = { replacesLostKey: replaceUnreadable };
      const json = await withContext(config, call, rotate, options);
      const { encrypted, replaced, sources, widgets } = json;
      const text = [
        `Encrypted: ${encrypted} endpoints. Replaced: ${replaced}.`,
        `Encrypted: ${sources.encrypted} sources. Removed: ${sources.replaced}.`,
        `Encrypted: ${widgets.encrypted} widgets. Replaced: ${widgets.replaced}.`,
      ].join('\n');
      return { text, json };
    },
  },
};
