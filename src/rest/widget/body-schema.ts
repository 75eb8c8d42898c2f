import type { JsonSchema } from '../operations.ts';

type Properties = Readonly<Record<string, JsonSchema>>;

/** The schema of a request body: a flat object. */
interface BodySchema<Fields extends Properties, Required extends keyof Fields> {
  readonly type: 'object';
  readonly properties: Fields;
  readonly required: readonly (Required & string)[];
  readonly additionalProperties: false;
}

/** Creates the schema of an object with these properties and no others. */
export function object<const Fields extends Properties, Required extends keyof Fields & string>(
  properties: Fields,
  required: readonly Required[],
): BodySchema<Fields, Required> {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** A body that is valid by the schema. */
export type BodyOf<Schema> =
  Schema extends BodySchema<infer Fields, infer Required>
    ? { readonly [Name in Required]: ValueOf<Fields[Name]> } & {
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
}
