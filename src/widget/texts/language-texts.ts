/** The texts of the widget in one language. */
export interface Texts {
  /** Language tag for the `lang` attribute. */
  readonly language: string;
  /** Default of `data-title`. */
  readonly title: string;
  /** Default of `data-greeting`. */
  readonly greeting: string;
  /** Default of `data-ai-notice`, if the project has no text of its own. */
  readonly aiNotice: string;

  readonly openChat: string;
  readonly newMessages: (count: number) => string;
  /** Announces new messages in conversations that are not shown. */
  readonly newElsewhere: (count: number) => string;
  readonly closeChat: string;
  readonly newConversation: string;
  readonly yourConversations: string;
  readonly conversationsFailed: string;
  readonly back: string;
  readonly close: string;
  readonly tryAgain: string;
  readonly cancel: string;

  readonly conversation: string;
  readonly you: string;
  readonly assistant: string;
  readonly team: string;
  readonly teamTyping: string;
  readonly notice: string;
  readonly searching: string;
  readonly stopped: string;
  readonly sources: string;
  readonly source: (number: number) => string;
  readonly didItHelp: string;
  readonly helpful: string;
  readonly notHelpful: string;

  readonly yourQuestion: string;
  readonly send: string;
  readonly stop: string;

  readonly talkToHuman: string;
  readonly handoffHint: string;
  /** Shown outside business hours if the project has no text of its own. */
  readonly outOfHours: string;
  readonly name: string;
  readonly email: string;
  readonly reason: string;
  readonly contactTeam: string;
  readonly invalidEmail: string;
  readonly handoffFailed: string;

  readonly satisfaction: string;
  /** Texts of the levels from 1 to 5. */
  readonly satisfactionLevels: readonly [string, string, string, string, string];
  readonly satisfactionComment: string;
  readonly satisfactionThanks: string;
  readonly change: string;
  readonly ratingFailed: string;
  readonly ratingClosed: string;

  readonly refused: string;
  /** Shown if the chat is only for signed-in users. */
  readonly signIn: string;
  readonly offline: string;
  readonly teamNotified: string;
  readonly withTeam: string;
  readonly resolved: string;

  /** `limit` is a number in the format of the language. */
  readonly atMost: (limit: string) => string;

  readonly unsent: string;
  readonly rateLimited: string;
  readonly unavailable: string;
  readonly interrupted: string;
}
