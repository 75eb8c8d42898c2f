import { Get, Queries, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import { executeGraphql, graphql } from '../graphql/execute-graphql.ts';
import type { ProjectQuery } from '../request/read-input.ts';
import { RestController } from '../request/rest-call.ts';

export interface UsageResponse {
  readonly organizationId: string;
  /**
   * @minLength 1
   * @example "pro"
   */
  readonly plan: string;
  /** The billing period: the calendar month, UTC. */
  readonly period: UsagePeriod;
  /** Messages that the assistant answered. Failed calls are not counted. */
  readonly messages: MessageUsage;
  /** Questions that evaluation runs asked and judged in this period, with their monthly limits. */
  readonly evaluation: EvaluationUsage;
  /** Current storage of the organization's documents. */
  readonly storage: StorageUsage;
  readonly tokens: TokenUsage;
  /** What the models cost in this period, by the prices of the organization. Null without prices. */
  readonly cost: Cost | null;
}

export interface Cost {
  /**
   * With 6 decimals.
   * @pattern ^[0-9]+[.][0-9]{6}$
   * @maxLength 40
   * @example "12.340000"
   */
  readonly amount: string;
  /**
   * ISO 4217 code.
   * @pattern ^[A-Z]{3}$
   * @minLength 3
   * @maxLength 3
   * @example "EUR"
   */
  readonly currency: string;
}

export interface UsagePeriod {
  readonly start: string;
  readonly end: string;
}

export interface MessageUsage {
  /** Messages used in this period. */
  readonly used: number;
  /** Monthly message allowance. Null means unlimited. */
  readonly limit: number | null;
  /** Messages that are left of the allowance. Null means unlimited. */
  readonly remaining: number | null;
}

export interface EvaluationUsage {
  readonly evaluated: QuestionUsage;
  readonly judged: QuestionUsage;
}

export interface QuestionUsage {
  /** Questions used in this period. Questions that failed are not counted. */
  readonly used: number;
  readonly limit: number | null;
  /** Questions that are left in this period. Null means unlimited. */
  readonly remaining: number | null;
}

export interface StorageUsage {
  /**
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
   * @isLong
   * @minimum 0
   * @example 812044
   */
  readonly input: number;
  /**
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
   * Returns the organization's usage in the current billing period, with its limits: its own, or those of its plan.
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
      cost { amount currency }
    }
  }
`);
