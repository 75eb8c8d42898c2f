import type { ResultOf } from 'gql.tada';
import { graphql } from '../../graphql/graphql.ts';

export const pricesQuery = graphql(`
  query ModelPrices($organizationId: ID!) {
    modelPrices(organizationId: $organizationId) {
      model
      kind
      perMillion
      currency
      validFrom
    }
  }
`);

/** The models that the project used in the last 30 days. Without prices, the service returns none. */
export const usedModelsQuery = graphql(`
  query UsedModels($projectId: ID!) {
    analytics(projectId: $projectId) {
      cost {
        models {
          model
          kind
          cost {
            amount
          }
        }
      }
    }
  }
`);

/** Names of the models that serve the project. For owners and admins. */
export const modelNamesQuery = graphql(`
  query ModelNames($projectId: ID!) {
    installedModels(projectId: $projectId) {
      kind
      name
    }
  }
`);

export const setPriceMutation = graphql(`
  mutation SetModelPrice($input: SetModelPriceInput!) {
    setModelPrice(input: $input) {
      model
    }
  }
`);

export const importPricesMutation = graphql(`
  mutation ImportModelPrices($input: ImportModelPricesInput!) {
    importModelPrices(input: $input) {
      model
    }
  }
`);

export const deletePriceMutation = graphql(`
  mutation DeleteModelPrice($input: DeleteModelPriceInput!) {
    deleteModelPrice(input: $input) {
      model
    }
  }
`);

export type Price = ResultOf<typeof pricesQuery>['modelPrices'][number];
export type PriceKind = Price['kind'];
export type UsedModel = NonNullable<
  ResultOf<typeof usedModelsQuery>['analytics']['cost']
>['models'][number];
