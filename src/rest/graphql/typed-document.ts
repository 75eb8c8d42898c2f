import type { initGraphQLTada, ResultOf, VariablesOf } from 'gql.tada';
import type { StoredFile } from '../../http/send-stored-file.ts';
import type { UploadedFile } from '../../platform/storage/uploaded-file.ts';
import type { introspection } from '../generated/graphql-env.d.ts';

/** A GraphQL document. `result` and `variables` exist only for the type checker. */
export interface TypedDocument<Result, Variables> {
  readonly source: string;
  readonly result?: Result;
  readonly variables?: Variables;
}

/** Requires a constant text that is a GraphQL document and selects only fields that the schema has. */
export type ValidText<Source extends string> = [ResultOf<Parsed<Source>>] extends [never]
  ? { readonly unreadable: Source }
  : [UnknownFieldOf<ResultOf<Parsed<Source>>>] extends [never]
    ? unknown
    : { readonly unknownField: UnknownFieldOf<ResultOf<Parsed<Source>>> };

/** The names of fields that have no type, because the schema does not have them. */
type UnknownFieldOf<Result> = Result extends readonly (infer Item)[]
  ? UnknownFieldOf<Item>
  : Result extends object
    ? string extends keyof Result
      ? never
      : {
          [Name in keyof Result]-?: unknown extends Result[Name]
            ? Name
            : UnknownFieldOf<Result[Name]>;
        }[keyof Result]
    : never;

/** Requires that `Given` has only properties that `Known` also has, in nested objects, too. */
export type NoOthers<Given, Known> = Given extends readonly unknown[] | UploadedFile
  ? Given
  : Given extends object
    ? {
        [Name in keyof Given]: Name extends keyof Known
          ? NoOthers<Given[Name], NonNullable<Known[Name]>>
          : never;
      }
    : Given;

/** Types of the result and the variables of a document with this text. They come from the committed schema. */
export type DocumentOf<Source extends string> = TypedDocument<
  ResultOf<Parsed<Source>>,
  VariablesOf<Parsed<Source>>
>;

type Parsed<Source extends string> = ReturnType<typeof parse<Source>>;

/** Never called. Only its return type is used: the type of a document with this text. */
function parse<const Source extends string>(source: Source) {
  return tada(source, []);
}

declare const tada: initGraphQLTada<{
  introspection: introspection;
  disableMasking: true;
  scalars: Scalars;
}>;

/** Types of the schema's custom scalars, in variables and in results that are read in process. */
type Scalars = {
  /** ISO 8601 text */
  readonly DateTime: string;
  readonly DocumentFile: StoredFile['file'];
  readonly DocumentFilter: { [field: string]: unknown };
  readonly DocumentMetadata: { [name: string]: string | number | boolean | string[] };
  /** All fields of this type are objects. */
  readonly JSON: { [name: string]: unknown };
  readonly UploadedFile: UploadedFile;
};
