import type { ResultOf } from 'gql.tada';
import { isColor } from './color-contrast.ts';
import type { widgetQuery } from './widget-operations.ts';

type Project = NonNullable<ResultOf<typeof widgetQuery>['project']>;
export type Widget = NonNullable<Project['widget']>;

/** Values of the form. An empty text means the default. */
export type LookValues = ReturnType<typeof lookValuesOf>;

/** Maximum number of starter questions. */
const maxQuestions = 4;

export function lookValuesOf({ look, aiNotice }: Pick<Widget, 'look' | 'aiNotice'>) {
  const { title, greeting, color, position, logoUrl, starterQuestions, agentNames } = look;
  return {
    title: title ?? '',
    greeting: greeting ?? '',
    color: color ?? '',
    position,
    logoUrl: logoUrl ?? '',
    starterQuestions: Array.from({ length: maxQuestions }, (_, i) => starterQuestions[i] ?? ''),
    agentNames,
    aiNotice,
  };
}

/** Returns the fields of `updateWidget`. */
export function lookInputOf(values: LookValues) {
  const { position, agentNames, starterQuestions } = values;
  const text = (name: 'title' | 'greeting' | 'color' | 'logoUrl' | 'aiNotice') =>
    values[name].trim() || null;
  return {
    aiNotice: text('aiNotice'),
    look: {
      title: text('title'),
      greeting: text('greeting'),
      color: text('color'),
      position,
      logoUrl: text('logoUrl'),
      starterQuestions: starterQuestions.filter((question) => question.trim() !== ''),
      agentNames,
    },
  };
}

export const lookValidation = {
  color: (color: string) =>
    color === '' || isColor(color) ? null : 'Enter a color such as #1d4ed8',
  logoUrl: (url: string) =>
    url.trim() === '' || /^https:\/\/./.test(url.trim()) ? null : 'Enter an address with https://',
};

/** Fields of the form, by the names that the service uses. */
export const lookErrorFields = {
  aiNotice: 'aiNotice',
  ...Object.fromEntries(
    ['title', 'greeting', 'color', 'logoUrl', 'starterQuestions'].map((name) => [
      `look.${name}`,
      name,
    ]),
  ),
};
