import type { Request, Response } from 'express';
import type { Adapters } from '../../domain/context.ts';
import { findInvitation } from '../../domain/sign-in/accept-invitation.ts';
import { sendJson } from '../../http/exchange.ts';
import { DomainError } from '../../platform/errors.ts';
import { readJsonBody } from '../../rest/request/read-json-body.ts';

const maxSecretLength = 200;
const bodySchema = { properties: { secret: { type: 'string', maxLength: maxSecretLength } } };

/**
 * Returns the invitation of a link, without accepting it. Uses POST, because URLs appear in logs. If the link is not
 * valid, the response does not reveal whether there ever was such an invitation.
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
