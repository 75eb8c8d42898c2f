import { Get, Queries, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import { RestController } from './call.ts';
import { graphql, run } from './execute.ts';
import type { ProjectQuery } from './project-rule.ts';

export interface UsageResponse {
  /**
   * The organization that the key belongs to.
   * @format uuid
   * @example "01980a3b-0c11-7d3e-8f20-1a2b3c4d5e6f"
   */
  readonly organizationId: string;
  /**
   * The name of the organization's plan.
   * @minLength 1
   * @example "pro"
   */
  readonly plan: string;
  /** The billing period: the calendar month, UTC. */
  readonly period: UsagePeriod;
  /** Messages that the assistant has answered. A call that failed is not counted. */
  readonly messages: MessageUsage;
  /** What the organization's documents take now. */
  readonly storage: StorageUsage;
  /** Tokens that models have counted in this period. */
  readonly tokens: TokenUsage;
}

export interface UsagePeriod {
  /**
   * The first moment of the period.
   * @format date-time
   * @example "2026-11-01T00:00:00.000Z"
   */
  readonly start: string;
  /**
   * The first moment of the next period.
   * @format date-time
   * @example "2026-12-01T00:00:00.000Z"
   */
  readonly end: string;
}

export interface MessageUsage {
  /**
   * Messages used in this period.
   * @isInt
   * @minimum 0
   * @example 1204
   */
  readonly used: number;
  /**
   * The monthly allowance; null means unlimited.
   * @isInt
   * @minimum 0
   * @example 10000
   */
  readonly limit: number | null;
  /**
   * What is left of the allowance; null means unlimited.
   * @isInt
   * @minimum 0
   * @example 8796
   */
  readonly remaining: number | null;
}

export interface StorageUsage {
  /**
   * Bytes of all documents of the organization.
   * @isLong
   * @minimum 0
   * @example 48213
   */
  readonly usedBytes: number;
  /**
   * Bytes that documents may take; null means unlimited.
   * @isLong
   * @minimum 0
   * @example 5000000000
   */
  readonly limitBytes: number | null;
}

export interface TokenUsage {
  /**
   * Tokens the chat model has read.
   * @isLong
   * @minimum 0
   * @example 812044
   */
  readonly input: number;
  /**
   * Tokens the chat model has written.
   * @isLong
   * @minimum 0
   * @example 96310
   */
  readonly output: number;
  /**
   * Tokens the embedding model has read, for documents, searches and questions.
   * @isLong
   * @minimum 0
   * @example 240551
   */
  readonly embedding: number;
  /**
   * The sum of the three.
   * @isLong
   * @minimum 0
   * @example 1148905
   */
  readonly total: number;
}

@Route('usage')
@Tags('Usage')
@Security('apiKey', ['analytics:read'])
export class UsageController extends RestController {
  /**
   * Reads what the organization has used in the current billing period, with the limits of its plan.
   *
   * Needs the scope `analytics:read`.
   * @summary Get the usage of the current period
   */
  @Get()
  @SuccessResponse(200, 'The usage of the current period')
  async getUsage(@Queries() query: ProjectQuery): Promise<UsageResponse> {
    const { organizationId } = this.call.caller;
    return (await run(this.call, usageDocument, { ...query, organizationId })).usage;
  }
}

const usageDocument = graphql<{ readonly usage: UsageResponse }>(`
  query usage($organizationId: ID!, $projectId: ID!) {
    usage(organizationId: $organizationId, projectId: $projectId) {
      organizationId
      plan
      period { start end }
      messages { used limit remaining }
      storage { usedBytes limitBytes }
      tokens { input output embedding total }
    }
  }
`);
