import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';

/** How a widget looks. Null: the default of the widget, for texts in the language of the visitor. */
export type Look = Pick<
  Prisma.WidgetGetPayload<object>,
  'title' | 'greeting' | 'color' | 'position' | 'logoUrl' | 'starterQuestions' | 'agentNames'
>;

/** Absent fields stay unchanged. Null restores the default. */
export type LookChanges = { readonly [Field in keyof Look]?: Look[Field] | null | undefined };

const defaultLook: Look = {
  title: null,
  greeting: null,
  color: null,
  position: 'RIGHT',
  logoUrl: null,
  starterQuestions: [],
  agentNames: true,
};

/** Returns the columns that the changes set. Texts are stored without space around them, colors in lower case. */
export function storedLook(changes: LookChanges): Partial<Look> {
  const { title, greeting, color, position, logoUrl, starterQuestions, agentNames } = changes;
  return {
    ...(title !== undefined && { title: title?.trim() ?? defaultLook.title }),
    ...(greeting !== undefined && { greeting: greeting?.trim() ?? defaultLook.greeting }),
    ...(color !== undefined && { color: color?.toLowerCase() ?? defaultLook.color }),
    ...(position !== undefined && { position: position ?? defaultLook.position }),
    ...(logoUrl !== undefined && { logoUrl: logoUrl ?? defaultLook.logoUrl }),
    ...(starterQuestions !== undefined && {
      starterQuestions:
        starterQuestions?.map((question) => question.trim()) ?? defaultLook.starterQuestions,
    }),
    ...(agentNames !== undefined && { agentNames: agentNames ?? defaultLook.agentNames }),
  };
}
