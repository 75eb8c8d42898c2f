import type { JsonSchema } from '../request/operations.ts';

type Properties = Readonly<Record<string, JsonSchema>>;

/** Creates the schema of an object that has these properties and no others. */
export function object<const Fields extends Properties, const Required extends keyof Fields>(
  properties: Fields,
  required: readonly (Required & string)[],
) {
  return { type: 'object', properties, required, additionalProperties: false } as const;
}

/** The type of a body that the schema accepts. */
export type BodyOf<Schema> = Schema extends {
  readonly properties: infer Fields;
  readonly required: readonly (infer Required)[];
}
  ? { readonly [Name in keyof Fields & Required]: ValueOf<Fields[Name]> } & {
      readonly [Name in Exclude<keyof Fields, Required>]?: ValueOf<Fields[Name]>;
    }
  : never;

type ValueOf<Field> = Field extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : Field extends { readonly type: infer Type extends keyof Values }
    ? Values[Type]
    : never;

interface Values {
  readonly string: string;
  readonly integer: number;
  readonly boolean: boolean;
  readonly object: object;
}
