import { graphql } from '../graphql/graphql.ts';

export const documentFields = graphql(`
  fragment DocumentFields on Document {
    id
    name
    status
    mimeType
    language
    sourceType
    sizeBytes
    chunkCount
    tokenCount
    createdAt
    processedAt
    sourceId
    tags
    waitingReason
    error {
      code
      message
    }
    warnings {
      message
    }
    earlierDuplicate {
      id
      name
      createdAt
      sourceId
    }
  }
`);

export const documentsQuery = graphql(
  `
    query Documents(
      $projectId: ID!
      $search: String
      $status: DocumentStatus
      $sourceId: ID
      $tag: String
      $mimeType: String
      $language: String
      $hasWarnings: Boolean
      $order: DocumentOrder
      $page: Int!
    ) {
      documentPage(
        projectId: $projectId
        search: $search
        status: $status
        sourceId: $sourceId
        tag: $tag
        mimeType: $mimeType
        language: $language
        hasWarnings: $hasWarnings
        order: $order
        page: $page
        limit: 25
      ) {
        total
        totalPages
        data {
          ...DocumentFields
        }
      }
      failed: documentPage(projectId: $projectId, status: FAILED, page: 1, limit: 1) {
        total
      }
    }
  `,
  [documentFields],
);

export const sourceNamesQuery = graphql(`
  query SourceNames($projectId: ID!) {
    sourcePage(projectId: $projectId, page: 1, limit: 100) {
      data {
        id
        name
      }
    }
  }
`);

export const documentQuery = graphql(
  `
    query Document($projectId: ID!, $id: ID!) {
      document(projectId: $projectId, id: $id) {
        ...DocumentFields
        externalId
        sourceUrl
        metadata
        publishedVersion
      }
    }
  `,
  [documentFields],
);

export const documentUpdatedSubscription = graphql(`
  subscription DocumentUpdates($projectId: ID!) {
    documentUpdated(projectId: $projectId) {
      id
      status
    }
  }
`);

export const createDocumentMutation = graphql(`
  mutation CreateDocument($projectId: ID!, $name: String!, $content: String!) {
    createDocument(input: { projectId: $projectId, name: $name, content: $content }) {
      id
      name
      status
    }
  }
`);

export const retryDocumentMutation = graphql(`
  mutation RetryDocument($projectId: ID!, $id: ID!) {
    retryDocument(input: { projectId: $projectId, id: $id }) {
      id
      status
    }
  }
`);

export const retryFailedDocumentsMutation = graphql(`
  mutation RetryFailedDocuments($projectId: ID!) {
    retryFailedDocuments(input: { projectId: $projectId }) {
      retriedCount
      failedCount
    }
  }
`);

export const deleteDocumentsMutation = graphql(`
  mutation DeleteDocuments($projectId: ID!, $documentIds: [ID!]!) {
    deleteDocuments(input: { projectId: $projectId, documentIds: $documentIds })
  }
`);

export const retryDocumentsMutation = graphql(`
  mutation RetryDocuments($projectId: ID!, $documentIds: [ID!]!) {
    retryDocuments(input: { projectId: $projectId, documentIds: $documentIds })
  }
`);

export const tagDocumentsMutation = graphql(`
  mutation TagDocuments($input: TagDocumentsInput!) {
    tagDocuments(input: $input) {
      count
      failures {
        documentId
        message
      }
    }
  }
`);

export const deleteDocumentMutation = graphql(`
  mutation DeleteDocument($projectId: ID!, $id: ID!) {
    deleteDocument(input: { projectId: $projectId, id: $id }) {
      id
    }
  }
`);

export const keepDuplicateMutation = graphql(`
  mutation KeepDuplicate($projectId: ID!, $id: ID!) {
    keepDuplicate(input: { projectId: $projectId, documentId: $id }) {
      id
    }
  }
`);

export const replaceDuplicateMutation = graphql(`
  mutation ReplaceDuplicate($projectId: ID!, $id: ID!) {
    replaceDuplicate(input: { projectId: $projectId, documentId: $id }) {
      id
    }
  }
`);

export const updateDocumentMutation = graphql(`
  mutation UpdateDocument($input: UpdateDocumentInput!) {
    updateDocument(input: $input) {
      id
    }
  }
`);

export const replaceDocumentMutation = graphql(`
  mutation ReplaceDocument($projectId: ID!, $id: ID!, $name: String!, $content: String!) {
    replaceDocument(input: { projectId: $projectId, id: $id, name: $name, content: $content }) {
      id
      status
    }
  }
`);
