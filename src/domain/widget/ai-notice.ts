/** Default notice in English. The widget contains it in seven languages. */
export const defaultAiNotice = 'You are chatting with an AI assistant.';

/** Returns the notice to store. The default is stored as null: each visitor then gets it in their own language. */
export function storedAiNotice(text: string | null): string | null {
  const notice = text?.trim() ?? null;
  return notice === defaultAiNotice ? null : notice;
}
