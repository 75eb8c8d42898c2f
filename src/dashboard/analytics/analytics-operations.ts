import type { ResultOf } from 'gql.tada';
import { graphql } from '../graphql/graphql.ts';

const figures = graphql(`
  fragment Figures on AnalyticsFigures @_unmask {
    conversations
    deflected
    handedOver
    answers
    unsure
    confidence
    helpful
    unhelpful
    inputTokens
    outputTokens
    embeddingTokens
    handoffs
    replied
    replyP50Seconds
    replyP95Seconds
    repliesDue
    repliesInTime
    resolved
    resolutionP50Seconds
    resolutionP95Seconds
    resolutionsDue
    resolutionsInTime
  }
`);

export const analyticsQuery = graphql(
  `
    query Analytics($organizationId: ID!, $projectId: ID!, $from: DateTime!, $to: DateTime!) {
      analytics(projectId: $projectId, from: $from, to: $to) {
        current {
          ...Figures
        }
        previous {
          ...Figures
        }
        days {
          day
          ...Figures
        }
        byHour {
          timeZone
          hours {
            hour
            answers
            refused
          }
        }
        byAgent {
          agent
          claimed
          resolved
          replyP50Seconds
          resolutionP50Seconds
          ratings
          meanRating
        }
        byLabel {
          name
          conversations
          refused
          handoffs
          ratings
          meanRating
        }
        byTopic {
          name
          answers
          unsure
          confidence
          helpful
          unhelpful
        }
        cost {
          total {
            amount
            currency
          }
          days {
            day
            cost {
              amount
            }
          }
          models {
            model
            kind
            tokens
            cost {
              amount
              currency
            }
          }
        }
        weakAnswers {
          messageId
          conversationId
          question
          answer
          confidence
          rating
          createdAt
        }
      }
      answerQuality(
        organizationId: $organizationId
        projectId: $projectId
        from: $from
        to: $to
      ) {
        latencyP50Ms
        latencyP95Ms
        days {
          latencyP50Ms
          latencyP95Ms
        }
      }
    }
  `,
  [figures],
);

type Data = ResultOf<typeof analyticsQuery>;
export type Analytics = Data['analytics'];
/** Times of the answers in the days of the analytics. The playground counts. */
export type Latency = Data['answerQuality'];
/** What the project cost. Null without prices. */
export type ProjectCost = Analytics['cost'];
export type Figures = Analytics['current'];
export type AnalyticsDay = Analytics['days'][number];
export type WeakAnswer = Analytics['weakAnswers'][number];
