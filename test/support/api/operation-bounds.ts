/**
 * What bounds an operation that callers can repeat. Who counts the stored bytes is in `tableBounds`.
 *
 * - `stores`: tables in which it adds rows or texts.
 * - `memory`: `ROW`, a fixed number of rows; `PAGE`, at most 100 rows of a size that inputs limit, and 8 MB of response;
 *   `INPUT`, what the request contains; otherwise the bound.
 * - `time`: `SHORT`, less than 50 ms of the event loop at once, also for the largest tenant; `TURNS`, longer work that
 *   pauses every 20 ms.
 * - `cost`: `RATE LIMIT` of the caller only, as no model is called; otherwise who counts the calls of models.
 */
export interface OperationBound {
  readonly stores: readonly string[];
  readonly memory: string;
  readonly time: 'SHORT' | 'TURNS';
  readonly cost: string;
}

const read = { stores: [], memory: 'ROW', time: 'SHORT', cost: 'RATE LIMIT' } as const;
const page = { ...read, memory: 'PAGE' } as const;
const remove = read;
const write = (...stores: string[]): OperationBound => ({ ...read, stores });
const audited = (...stores: string[]): OperationBound => write('audit_entries', ...stores);
const questions: OperationBound = {
  ...audited('question_sets', 'set_questions'),
  memory: 'INPUT: 10,000 questions and 11 MB',
};

/** Operations since 26 November 2026. Those before are older than this table. */
export const operationBounds: Readonly<Record<string, OperationBound>> = {
  addConversationLabel: write('conversation_labels'),
  addSetQuestions: questions,
  analytics: { ...read, memory: 'a row per day of at most a year' },
  answerTrace: { ...read, memory: 'a trace of at most 32 KiB, compressed' },
  cancelEvaluation: audited(),
  compareEvaluations: {
    ...read,
    memory: '20,000 results without texts, two comparisons at a time, and 1 MB of texts',
    time: 'TURNS',
  },
  conversationActivity: {
    ...read,
    memory: 'a subscription, of which a caller has a limited number',
  },
  conversationEvents: { ...read, memory: '200 events' },
  createLabel: write('labels'),
  createQuestionSet: questions,
  createSignInLink: audited('sign_in_links'),
  decideQuestion: audited('question_decisions'),
  deleteLabel: remove,
  deleteModelPrice: audited(),
  deleteQuestionSet: audited(),
  deleteSetQuestion: audited(),
  evaluationResultPage: page,
  evaluationRun: read,
  evaluationRunPage: page,
  handoffRatings: page,
  importModelPrices: { ...audited('model_prices'), memory: 'INPUT: 500 prices, and 1,000 prices' },
  importSetQuestions: {
    ...questions,
    memory: 'INPUT: 10,000 questions and 6 MB, and 500 texts of the set at a time',
    time: 'TURNS',
  },
  installedModels: read,
  keepDuplicate: write(),
  labels: { ...read, memory: '100 labels' },
  markEvaluationResult: write(),
  mergeQuestions: audited('question_decisions'),
  modelPrices: { ...read, memory: '1,000 prices' },
  previewAnswer: { ...read, cost: 'previews of a caller: 20 a minute' },
  projectConfidence: { ...read, memory: 'counts of 60,000 answers, summed by Postgres' },
  projectSetup: { ...read, memory: '2,000 keys of rows, and the starts of 120 chunks' },
  questionProposalPage: { ...read, memory: '2,000 questions with 1,500 characters of answers' },
  questionSet: read,
  questionSetPage: page,
  rateHandoff: write('handoff_satisfaction'),
  recentAssignments: { ...read, memory: 'the assignments of an agent in a day' },
  releaseHandoff: write('conversation_events', 'conversation_notes', 'inbox_events'),
  removeConversationLabel: remove,
  replaceDuplicate: audited('documents'),
  replaceSetQuestions: questions,
  rotateWidgetIdentitySecret: audited(),
  satisfaction: { ...read, memory: 'a row per agent' },
  setModelPrice: { ...audited('model_prices'), memory: '1,000 prices' },
  setQuestionPage: page,
  setDisplayName: audited('members'),
  signalTyping: write(),
  startEvaluation: {
    ...audited('evaluation_runs', 'evaluation_results', 'chunk_vectors'),
    cost: 'evaluated questions and judged questions of the month',
  },
  tagDocuments: { ...write('documents'), memory: 'a document at a time, at most 100 in turn' },
  updateLabel: write('labels'),
  updateQuestionSet: audited('question_sets'),
  updateSetQuestion: audited('set_questions'),
};

/** The operations before that day. */
export const earlierOperations: ReadonlySet<string> = new Set(
  `
  addConversationNote answerQuality apiKeyPage apiKeys chat claimHandoff conversation
  conversationNotes conversationPage conversationUpdated conversations createApiKey createDocument createInvitation
  createOrganization createProject createSavedReply createSource createWebhookEndpoint deleteDocument deleteDocuments
  deleteSavedReply deleteSource deleteWebhookEndpoint document documentChunks documentOriginal documentPage
  documentText documentUpdated documents draftReply embedTexts eraseEndUser explainSearch exportEndUser giveFeedback
  handoffCounts handoffInbox handoffPage handoffs inviteMember keyProjects markConversationRead
  me node nodes organization project redeliverWebhook removeMember renewInvitation replaceDocument
  replaceDocumentFile replyToConversation requestHandoff resolveHandoff resumeAnswer
  retryDocument retryDocuments retryFailedDocuments returnToAssistant revokeApiKey revokeInvitation rotateApiKey
  rotateWebhookSecret rotateWidgetKey savedReplies searchKnowledge sendMessage sendTestWebhook source sourcePage
  sourceRunPage stopAnswer syncSource takeOverConversation transcript transferHandoff
  unansweredQuestionPage unansweredQuestions updateDocument updateMember updateOrganization updateProject
  updateSavedReply updateSource updateWebhookEndpoint updateWidget uploadDocument usage usageByDay
  visitorConversationUpdated webhookDeliveries webhookDeliveryPage webhookEndpoint
  webhookEndpointPage webhookEndpoints
  `
    .trim()
    .split(/\s+/),
);
