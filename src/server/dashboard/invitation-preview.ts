import type { Request, Response } from 'express';
import type { Adapters } from '../../domain/context.ts';
import { findInvitation } from '../../domain/sign-in/accept-invitation.ts';
import { sendJson } from '../../http/exchange.ts';
import { DomainError } from '../../platform/errors.ts';
import { readJsonBody } from '../../rest/request/read-json-body.ts';

const maxSecretLength = 200;
const bodySchema = { properties: { secret: { type: 'string', maxLength: maxSecretLength } } };

/**
 * Serves the invitation of a link, without accepting it. By POST, because URLs appear in logs. The response for a link
 * that is not valid does not tell whether there was such an invitation.
 */
export function invitationPreview(adapters: Adapters) {
  return async (request: Request, response: Response): Promise<void> => {
    const { secret } = await readJsonBody(request, { schema: bodySchema, isRequired: true });
    const isPossible = typeof secret === 'string' && secret.length <= maxSecretLength;
    const invitation = isPossible ? await findInvitation(adapters, secret) : null;
    if (invitation === null) throw new DomainError('NOT_FOUND', 'The invitation is not valid');
    sendJson(response, 200, invitation);
  };
}
