/** Texts of the component. */
export interface ChatLabels {
  readonly title: string;
  /** AI notice above the messages. A blank text becomes the default. */
  readonly aiNotice: string;
  readonly messages: string;
  readonly you: string;
  readonly assistant: string;
  readonly agent: string;
  readonly message: string;
  readonly send: string;
  readonly stop: string;
  readonly retry: string;
  readonly writing: string;
  readonly failed: string;
  readonly sources: string;
  readonly page: string;
  readonly helpful: string;
  readonly notHelpful: string;
  readonly person: string;
  readonly personRequested: string;
  readonly personAnswers: string;
}

export const englishLabels: ChatLabels = {
  title: 'Chat',
  aiNotice: 'You are chatting with an AI assistant.',
  messages: 'Messages',
  you: 'You',
  assistant: 'AI assistant',
  agent: 'Team',
  message: 'Your message',
  send: 'Send',
  stop: 'Stop',
  retry: 'Try again',
  writing: 'The assistant is writing',
  failed: 'The answer could not be loaded.',
  sources: 'Sources',
  page: 'page',
  helpful: 'Helpful',
  notHelpful: 'Not helpful',
  person: 'Talk to a person',
  personRequested: 'A person will answer here.',
  personAnswers: 'A person has taken over.',
};
