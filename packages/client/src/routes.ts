import type { operations, paths } from './generated/openapi-types.ts';

export type OperationId = keyof operations;

/** The method and path of each operation. The type makes the compiler compare this table with the OpenAPI document. */
export const routes: { readonly [Id in OperationId]: RouteOf<Id> } = {
  sendMessage: 'POST /chat',
  stopAnswer: 'POST /chat/{messageId}/stop',
  resumeAnswer: 'GET /chat/{messageId}/stream',
  listConversations: 'GET /conversations',
  getConversation: 'GET /conversations/{conversationId}',
  listConversationNotes: 'GET /conversations/{conversationId}/notes',
  addConversationNote: 'POST /conversations/{conversationId}/notes',
  replyToConversation: 'POST /conversations/{conversationId}/replies',
  listQuestionSets: 'GET /evaluation/sets',
  createQuestionSet: 'POST /evaluation/sets',
  getQuestionSet: 'GET /evaluation/sets/{setId}',
  updateQuestionSet: 'PATCH /evaluation/sets/{setId}',
  deleteQuestionSet: 'DELETE /evaluation/sets/{setId}',
  listSetQuestions: 'GET /evaluation/sets/{setId}/questions',
  replaceSetQuestions: 'PUT /evaluation/sets/{setId}/questions',
  addSetQuestions: 'POST /evaluation/sets/{setId}/questions',
  updateSetQuestion: 'PATCH /evaluation/questions/{questionId}',
  deleteSetQuestion: 'DELETE /evaluation/questions/{questionId}',
  listQuestionProposals: 'GET /evaluation/sets/{setId}/proposals',
  listEvaluations: 'GET /evaluation/runs',
  startEvaluation: 'POST /evaluation/runs',
  getEvaluation: 'GET /evaluation/runs/{runId}',
  listEvaluationResults: 'GET /evaluation/runs/{runId}/results',
  cancelEvaluation: 'POST /evaluation/runs/{runId}/cancel',
  markEvaluationResult: 'PUT /evaluation/runs/{runId}/results/{questionId}/mark',
  compareEvaluations: 'GET /evaluation/runs/{runId}/compare/{otherRunId}',
  getProjectConfidence: 'GET /evaluation/confidence',
  requestHandoff: 'POST /handoff',
  listHandoffs: 'GET /handoffs',
  claimHandoff: 'POST /handoffs/{handoffId}/claim',
  resolveHandoff: 'POST /handoffs/{handoffId}/resolve',
  returnToAssistant: 'POST /handoffs/{handoffId}/return',
  transferHandoff: 'POST /handoffs/{handoffId}/transfer',
  releaseHandoff: 'POST /handoffs/{handoffId}/release',
  rateHandoff: 'PUT /handoffs/{handoffId}/satisfaction',
  listUnansweredQuestions: 'GET /insights/unanswered',
  listApiKeys: 'GET /keys',
  createApiKey: 'POST /keys',
  revokeApiKey: 'POST /keys/{keyId}/revoke',
  rotateApiKey: 'POST /keys/{keyId}/rotate',
  listDocuments: 'GET /knowledge/documents',
  createDocument: 'POST /knowledge/documents',
  deleteDocuments: 'POST /knowledge/documents/delete',
  retryDocuments: 'POST /knowledge/documents/retry',
  uploadDocument: 'POST /knowledge/documents/upload',
  replaceDocument: 'PUT /knowledge/documents/{documentId}',
  updateDocument: 'PATCH /knowledge/documents/{documentId}',
  getDocument: 'GET /knowledge/documents/{documentId}',
  deleteDocument: 'DELETE /knowledge/documents/{documentId}',
  getDocumentContent: 'GET /knowledge/documents/{documentId}/content',
  getDocumentOriginal: 'GET /knowledge/documents/{documentId}/original',
  retryDocument: 'POST /knowledge/documents/{documentId}/retry',
  searchKnowledge: 'POST /knowledge/search',
  listSources: 'GET /knowledge/sources',
  createSource: 'POST /knowledge/sources',
  getSource: 'GET /knowledge/sources/{sourceId}',
  updateSource: 'PATCH /knowledge/sources/{sourceId}',
  deleteSource: 'DELETE /knowledge/sources/{sourceId}',
  listSourceRuns: 'GET /knowledge/sources/{sourceId}/runs',
  syncSource: 'POST /knowledge/sources/{sourceId}/sync',
  giveFeedback: 'PUT /messages/{messageId}/feedback',
  getAnswerTrace: 'GET /messages/{messageId}/trace',
  getUsage: 'GET /usage',
  listWebhookEndpoints: 'GET /webhooks',
  createWebhookEndpoint: 'POST /webhooks',
  redeliverWebhook: 'POST /webhooks/deliveries/{deliveryId}/redeliver',
  getWebhookEndpoint: 'GET /webhooks/{webhookId}',
  updateWebhookEndpoint: 'PATCH /webhooks/{webhookId}',
  deleteWebhookEndpoint: 'DELETE /webhooks/{webhookId}',
  listWebhookDeliveries: 'GET /webhooks/{webhookId}/deliveries',
  rotateWebhookSecret: 'POST /webhooks/{webhookId}/rotate-secret',
  sendTestWebhook: 'POST /webhooks/{webhookId}/test',
};

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

type RouteOf<Id extends OperationId> = {
  [Path in keyof paths]: {
    [Verb in Method]: paths[Path] extends { [Key in Verb]: operations[Id] }
      ? `${Uppercase<Verb>} ${Path}`
      : never;
  }[Method];
}[keyof paths];

/** The JSON body of an operation, without the project, which the client adds. */
export type Body<Id extends OperationId> = operations[Id] extends {
  requestBody?: { content: { 'application/json': infer Json } };
}
  ? Omit<Json, 'projectId'>
  : never;

/** The query of an operation, without the project, which the client adds. */
export type Query<Id extends OperationId> = Omit<
  NonNullable<operations[Id]['parameters']['query']>,
  'projectId'
>;

/** The JSON of a successful response, or `undefined` if the response has no body. */
export type Result<Id extends OperationId> = [Json<Id>] extends [never] ? undefined : Json<Id>;

type Json<Id extends OperationId> = {
  [Status in 200 | 201 | 202]: operations[Id]['responses'] extends {
    [Key in Status]: { content: { 'application/json': infer Value } };
  }
    ? Value
    : never;
}[200 | 201 | 202];

/** An entry of a list. */
export type Entry<Id extends OperationId> =
  Result<Id> extends { data: readonly (infer Item)[] } ? Item : never;
