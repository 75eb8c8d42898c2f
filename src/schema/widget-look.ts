import { z } from 'zod';
import type { Look } from '../domain/widget/widget-look.ts';
import { WidgetPosition as Positions } from '../platform/postgres/generated/prisma/enums.ts';
import { builder } from './builder.ts';
import { fieldsSchema, nonBlankText } from './input-rules.ts';

const WidgetPosition = builder.enumType('WidgetPosition', {
  description: 'Side of the page where the widget is.',
  values: {
    [Positions.RIGHT]: { description: 'On the right. The default.' },
    [Positions.LEFT]: { description: 'On the left.' },
  },
});

export const WidgetLook = builder.objectRef<Look>('WidgetLook').implement({
  description: 'How a widget looks. Null means the default of the widget.',
  fields: (t) => ({
    title: t.exposeString('title', {
      nullable: true,
      description: 'Title above the chat. The default is in the language of the visitor.',
    }),
    greeting: t.exposeString('greeting', {
      nullable: true,
      description: 'Text before the first message. The default is in the language of the visitor.',
    }),
    color: t.exposeString('color', {
      nullable: true,
      description: "Color of the button and of the visitor's messages, as `#rrggbb`.",
    }),
    position: t.expose('position', {
      type: WidgetPosition,
      description: 'Side of the page where the widget is.',
    }),
    logoUrl: t.exposeString('logoUrl', {
      nullable: true,
      description:
        "Address of the image beside the title. The visitor's browser loads it without a referrer.",
    }),
    starterQuestions: t.exposeStringList('starterQuestions', {
      description: 'Questions that the visitor can ask with one click before the first message.',
    }),
    agentNames: t.exposeBoolean('agentNames', {
      description: 'Whether visitors see the names that agents have chosen.',
    }),
  }),
});

export const WidgetLookInput = builder.inputType('WidgetLookInput', {
  description:
    'Changes to the look of a widget. Omitted fields stay unchanged; null restores the default.',
  fields: (t) => ({
    title: t.string({ description: 'Title above the chat, 1 to 60 characters.' }),
    greeting: t.string({ description: 'Text before the first message, 1 to 300 characters.' }),
    color: t.string({
      description: "Color of the button and of the visitor's messages, as `#rrggbb`.",
    }),
    position: t.field({
      type: WidgetPosition,
      description: 'Side of the page where the widget is. Default: RIGHT.',
    }),
    logoUrl: t.string({
      description: 'An https URL of the image beside the title, at most 500 characters.',
    }),
    starterQuestions: t.stringList({
      description: 'At most 4 questions, each with 1 to 120 characters.',
    }),
    agentNames: t.boolean({
      description: 'Whether visitors see the names that agents have chosen. Default: true.',
    }),
  }),
});

export const widgetLookSchema = fieldsSchema({
  title: nonBlankText(60).nullish(),
  greeting: nonBlankText(300).nullish(),
  color: z
    .string()
    .regex(/^#[\da-f]{6}$/i, 'must be a color such as #1d4ed8')
    .nullish(),
  logoUrl: z.string().refine(isHttps, 'must be an https URL of at most 500 characters').nullish(),
  starterQuestions: z.array(nonBlankText(120)).max(4, 'must have at most 4 items').nullish(),
});

function isHttps(text: string): boolean {
  return text.length <= 500 && /^https:\/\/[^\s\\]+$/.test(text) && URL.canParse(text);
}
