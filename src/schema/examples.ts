/** What GraphiQL opens with. */
export const exampleOperations = `# The GraphQL interface of grounded-chat.
# Set the header  {"Authorization": "Bearer <token or sk_ key>"}  below, then run one of these.

query SearchKnowledge($projectId: ID!) {
  searchKnowledge(projectId: $projectId, query: "When is check-out?", limit: 3) {
    documentName
    score
    content
  }
}

query Documents($projectId: ID!) {
  documents(projectId: $projectId, first: 10) {
    edges { node { id name status chunkCount error { code message } } }
    pageInfo { hasNextPage endCursor }
  }
}

subscription Ask($projectId: ID!) {
  chat(input: { projectId: $projectId, message: "When is check-out?" }) {
    ... on ChatMeta { conversationId messageId }
    ... on ChatSources { confidence citations { documentName score quote } }
    ... on ChatDelta { text }
    ... on ChatDone { reply { content latencyMs } }
    ... on ChatError { code message }
  }
}
`;
