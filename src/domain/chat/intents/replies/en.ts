import type { Replies } from './replies.ts';

export const en: Replies = {
  GREETING: 'Hello! How can I help you? Ask me a question, and I will look for the answer.',
  THANKS: 'You are welcome! If you have another question, just ask.',
  GOODBYE: 'Goodbye! Come back any time if you have another question.',
  IDENTITY:
    'I am an automated assistant, not a person. I answer questions from the documents that our team has provided.',
  HELP: 'I answer questions from our documents and show you the sources. Ask your question in a full sentence, for example how something works or what it costs.',
  HUMAN:
    'I am an automated assistant. To reach a person, choose "Talk to a human" in this chat, or contact our team directly.',
  COMPLAINT:
    'I am sorry that I have not been able to help. Please describe in other words what you are looking for, or ask to talk to a person.',
  GIBBERISH: 'Sorry, I did not understand that. Please ask your question in other words.',
  fallback:
    "I don't know. The available documents do not seem to contain an answer to this question.",
  handoffRequested: 'Our team has been notified and will answer you here.',
};
