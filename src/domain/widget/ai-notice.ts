/** The English text that tells visitors that an AI system answers them. The widget has it in seven languages. */
export const defaultAiNotice = 'You are chatting with an AI assistant.';

/** Returns the notice to store. The default is stored as null, so that each visitor gets it in the own language. */
export function storedAiNotice(text: string | null): string | null {
  const notice = text?.trim() ?? null;
  return notice === defaultAiNotice ? null : notice;
}
