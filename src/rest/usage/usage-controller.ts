import { Get, Queries, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import { executeGraphql, graphql } from '../graphql/execute-graphql.ts';
import type { ProjectQuery } from '../request/read-input.ts';
import { RestController } from '../request/rest-call.ts';

export interface UsageResponse {
  /**
   * Id of the organization that the key belongs to.
   * @format uuid
   * @example "01980a3b-0c11-7d3e-8f20-1a2b3c4d5e6f"
   */
  readonly organizationId: string;
  /**
   * Name of the organization's plan.
   * @minLength 1
   * @example "pro"
   */
  readonly plan: string;
  /** The billing period: the calendar month, UTC. */
  readonly period: UsagePeriod;
  /** Messages that the assistant answered. Failed calls are not counted. */
  readonly messages: MessageUsage;
  /** Questions of evaluation runs. */
  readonly evaluation: EvaluationUsage;
  /** Current storage of the organization's documents. */
  readonly storage: StorageUsage;
  /** Tokens used by the models in this period. */
  readonly tokens: TokenUsage;
}

export interface UsagePeriod {
  /**
   * Start of the period (inclusive).
   * @format date-time
   * @example "2026-11-01T00:00:00.000Z"
   */
  readonly start: string;
  /**
   * End of the period (exclusive).
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
   * Monthly message allowance. Null means unlimited.
   * @isInt
   * @minimum 0
   * @example 10000
   */
  readonly limit: number | null;
  /**
   * Messages that are left of the allowance. Null means unlimited.
   * @isInt
   * @minimum 0
   * @example 8796
   */
  readonly remaining: number | null;
}

export interface EvaluationUsage {
  /** Questions asked. A run with another embedding model also uses one for each batch of up to 96 chunks that it embeds. */
  readonly evaluated: QuestionUsage;
  /** Answers judged by the language model. */
  readonly judged: QuestionUsage;
}

export interface QuestionUsage {
  /**
   * Questions used in this period. Questions that failed are not counted.
   * @isInt
   * @minimum 0
   * @example 340
   */
  readonly used: number;
  /**
   * Monthly limit. Null means unlimited.
   * @isInt
   * @minimum 0
   * @example 100000
   */
  readonly limit: number | null;
  /**
   * Questions that are left in this period. Null means unlimited.
   * @isInt
   * @minimum 0
   * @example 99660
   */
  readonly remaining: number | null;
}

export interface StorageUsage {
  /**
   * Bytes of documents, question sets, evaluation runs, and what people write in conversations.
   * @isLong
   * @minimum 0
   * @example 48213
   */
  readonly usedBytes: number;
  /**
   * Storage limit, in bytes. Null means unlimited.
   * @isLong
   * @minimum 0
   * @example 5000000000
   */
  readonly limitBytes: number | null;
}

export interface TokenUsage {
  /**
   * Input tokens of the chat model.
   * @isLong
   * @minimum 0
   * @example 812044
   */
  readonly input: number;
  /**
   * Output tokens of the chat model.
   * @isLong
   * @minimum 0
   * @example 96310
   */
  readonly output: number;
  /**
   * Input tokens of the embedding model, for documents, searches and questions.
   * @isLong
   * @minimum 0
   * @example 240551
   */
  readonly embedding: number;
  /**
   * Sum of input, output and embedding tokens.
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
   * Returns the organization's usage in the current billing period, with the limits of its plan.
   *
   * Needs the scope `analytics:read`.
   * @summary Get the usage of the current period
   */
  @Get()
  @SuccessResponse(200, 'The usage of the current period')
  async getUsage(@Queries() query: ProjectQuery): Promise<UsageResponse> {
    const { organizationId } = this.call.caller;
    return (await executeGraphql(this.call, getUsageQuery, { ...query, organizationId })).usage;
  }
}

const getUsageQuery = graphql(`
  query usage($organizationId: ID!, $projectId: ID!) {
    usage(organizationId: $organizationId, projectId: $projectId) {
      organizationId
      plan
      period { start end }
      messages { used limit remaining }
      evaluation { evaluated { used limit remaining } judged { used limit remaining } }
      storage { usedBytes limitBytes }
      tokens { input output embedding total }
    }
  }
`);
