/** Example operations, the initial text of the GraphiQL editor. */
export const exampleOperations = `# The GraphQL interface of grounded-chat.
# If you are signed in to the dashboard, requests use your session. Otherwise, set the header
# {"Authorization": "Bearer <token or sk_ key>"}  below and press "Re-fetch GraphQL schema" at the left.
# Set the variables below, such as  {"projectId": "…"},  and run one of these.

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

query Overview($organizationId: ID!) {
  organization(id: $organizationId) {
    name
    limits { monthlyMessages storageBytes }
    members(first: 10) { edges { node { email role } } }
    projects(first: 10) {
      edges { node { name conversations(first: 5) { edges { node { title status } } } } }
    }
  }
}

query Conversations($projectId: ID!) {
  conversations(projectId: $projectId, first: 10) {
    edges {
      node {
        title
        status
        messages(last: 2) { edges { node { role content confidence feedback { rating comment } } } }
      }
    }
    pageInfo { hasNextPage endCursor }
  }
}

query UnansweredQuestions($projectId: ID!) {
  unansweredQuestions(projectId: $projectId, first: 10) {
    edges { node { question count badFeedbackCount lastAskedAt conversationIds } }
  }
}

query UsageByDay($organizationId: ID!) {
  usageByDay(organizationId: $organizationId) {
    day
    messages
    storedBytes
    tokens { input output embedding }
  }
}

mutation GiveFeedback($messageId: ID!, $projectId: ID) {
  giveFeedback(input: { projectId: $projectId, messageId: $messageId, rating: DOWN, comment: "Not what I asked" }) {
    rating
    comment
  }
}

mutation RequestHandoff($projectId: ID, $conversationId: ID!) {
  requestHandoff(input: { projectId: $projectId, conversationId: $conversationId, reason: "Asked for a person" }) {
    id
    status
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

subscription Inbox($projectId: ID!) {
  handoffInbox(projectId: $projectId) {
    cursor
    type
    handoff { id status name reason }
    message { role content }
  }
}
`;
