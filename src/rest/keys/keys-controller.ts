import {
  Body,
  Extension,
  Get,
  Path,
  Post,
  Queries,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { ApiKeyCaller } from '../../domain/caller.ts';
import { scopeName } from '../../domain/permissions.ts';
import type { ErrorBody } from '../../http/errors.ts';
import { executeGraphql, graphql } from '../graphql/execute-graphql.ts';
import { parseScope } from '../request/operations.ts';
import { type PageQuery, pageFields } from '../request/pagination.ts';
import type { ProjectBody } from '../request/read-input.ts';
import { RestController } from '../request/rest-call.ts';
import type { RotationRequest } from '../webhooks/webhook-record.ts';
import {
  type CreateKeyRequest,
  type KeyPage,
  type KeyRecord,
  type KeyWithSecret,
  keyFields,
} from './key-record.ts';

@Route('keys')
@Tags('Keys')
@Security('apiKey', ['keys:write'])
export class KeysController extends RestController {
  /**
   * Lists the API keys of the project, newest first, including expired and revoked keys. An org-wide key also lists the
   * org-wide keys of its organization.
   * @summary List API keys
   */
  @Get()
  @SuccessResponse(200, 'A page of keys')
  async listApiKeys(@Queries() query: PageQuery): Promise<KeyPage> {
    const { organizationId } = this.call.caller;
    const variables = { ...query, organizationId };
    const { apiKeyPage } = await executeGraphql(this.call, listQuery, variables);
    return { ...apiKeyPage, data: apiKeyPage.data.map(toKeyRecord) };
  }

  /**
   * Creates an API key for the project. The new key has no more rights than the calling key. It can have only scopes of
   * the calling key, is valid only for projects of the calling key, sees only documents that the calling key sees, and
   * does not expire later. The response contains the secret, which cannot be read again.
   * @summary Create an API key
   */
  @Post()
  @Extension('x-idempotent', true)
  @Extension('x-returns-secret', true)
  @SuccessResponse(201, 'The key and its secret')
  @Response<ErrorBody>(
    409,
    'The organization has 100 active keys (`CONFLICT`). Or a request with the same `Idempotency-Key` is still running (`IDEMPOTENCY_KEY_IN_USE`)',
  )
  async createApiKey(@Body() body: CreateKeyRequest): Promise<KeyWithSecret> {
    const { organizationId } = this.call.caller;
    const scopes = body.scopes.map(parseScope);
    const input = { ...body, organizationId, scopes };
    return withSecret((await executeGraphql(this.call, createMutation, { input })).createApiKey);
  }

  /**
   * Creates a key with the same name, project, scopes, filter and expiry. The old key stays valid for the overlap. The
   * calling key needs every scope of the old key. The response contains the new secret, which cannot be read again.
   * @summary Rotate an API key
   */
  @Post('{keyId}/rotate')
  @Extension('x-idempotent', true)
  @Extension('x-returns-secret', true)
  @SuccessResponse(201, 'The new key and its secret')
  @Response<ErrorBody>(
    409,
    'The key is revoked, expired or already rotated (`CONFLICT`). Or a request with the same `Idempotency-Key` is still running (`IDEMPOTENCY_KEY_IN_USE`)',
  )
  async rotateApiKey(
    @Path() keyId: string,
    @Body() body?: RotationRequest,
  ): Promise<KeyWithSecret> {
    const input = { ...body, id: keyId };
    return withSecret((await executeGraphql(this.call, rotateMutation, { input })).rotateApiKey);
  }

  /**
   * Revokes an API key and the keys that it has created or rotated, with immediate effect. A key that is already
   * revoked is returned unchanged. A key may revoke itself.
   * @summary Revoke an API key
   */
  @Post('{keyId}/revoke')
  @SuccessResponse(200, 'The revoked key')
  async revokeApiKey(@Path() keyId: string, @Body() body?: ProjectBody): Promise<KeyRecord> {
    const input = { ...body, id: keyId };
    return toKeyRecord((await executeGraphql(this.call, revokeMutation, { input })).revokeApiKey);
  }
}

/** A key as GraphQL returns it. GraphQL spells the scopes in another way. */
interface GraphqlKey extends Omit<KeyRecord, 'scopes'> {
  readonly scopes: ApiKeyCaller['scopes'];
}

interface NewKey {
  readonly secret: string;
  readonly apiKey: GraphqlKey;
}

function toKeyRecord({ scopes, ...key }: GraphqlKey): KeyRecord {
  return { ...key, scopes: scopes.map((scope) => scopeName(scope)) };
}

function withSecret({ secret, apiKey }: NewKey): KeyWithSecret {
  return { ...toKeyRecord(apiKey), secret };
}

const listQuery = graphql(`
  query listApiKeys($organizationId: ID!, $projectId: ID!, $page: Int, $limit: Int) {
    apiKeyPage(organizationId: $organizationId, projectId: $projectId, page: $page, limit: $limit) {
      data { ${keyFields} } ${pageFields}
    }
  }
`);

const createMutation = graphql(`
  mutation createApiKey($input: CreateApiKeyInput!) {
    createApiKey(input: $input) { secret apiKey { ${keyFields} } }
  }
`);

const rotateMutation = graphql(`
  mutation rotateApiKey($input: RotateApiKeyInput!) {
    rotateApiKey(input: $input) { secret apiKey { ${keyFields} } }
  }
`);

const revokeMutation = graphql(`
  mutation revokeApiKey($input: RevokeApiKeyInput!) {
    revokeApiKey(input: $input) { ${keyFields} }
  }
`);
