/** How the widget looks, as its tag or its project says. Null: not said. */
export interface Look {
  readonly title: string | null;
  readonly greeting: string | null;
  /** Color in the form `#rrggbb`. */
  readonly color: string | null;
  readonly position: 'RIGHT' | 'LEFT' | null;
  readonly logoUrl: string | null;
  /** Null means none. */
  readonly starterQuestions: readonly string[] | null;
  /** AI notice. Absent: that of the project, which the visit returns. */
  readonly aiNotice?: string | null;
}

/** The look of a project that has not changed anything, or whose look is unavailable. */
export const plainLook: Look = {
  title: null,
  greeting: null,
  color: null,
  position: null,
  logoUrl: null,
  starterQuestions: null,
};

/** Returns the look of the tag, completed with the look of the project. */
export function mergeLooks(tag: Look, project: Look): Look {
  const said = Object.entries(tag).filter(([, value]) => value !== null);
  return { ...project, ...Object.fromEntries(said) };
}

/** Reads a look that was stored or received. Each invalid field is null. */
export function parseLook(value: object): Look {
  const text = (name: keyof Look) => {
    const field: unknown = Reflect.get(value, name);
    return typeof field === 'string' ? field.trim() || null : null;
  };
  const position = text('position');
  const logoUrl = text('logoUrl');
  const questions: unknown = Reflect.get(value, 'starterQuestions');
  return {
    title: text('title'),
    greeting: text('greeting'),
    color: parseColor(text('color')),
    position: position === 'LEFT' || position === 'RIGHT' ? position : null,
    logoUrl: logoUrl?.startsWith('https://') ? logoUrl : null,
    starterQuestions: Array.isArray(questions)
      ? questions.filter((question) => typeof question === 'string' && question.trim() !== '')
      : null,
    ...('aiNotice' in value && { aiNotice: text('aiNotice') }),
  };
}

/** Returns the color if it has the form `#rrggbb`. */
export function parseColor(text: string | null): string | null {
  return text !== null && /^#[\da-f]{6}$/i.test(text) ? text : null;
}
