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

/** Demands a constant text that is a GraphQL document with fields of the schema only. */
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

/** Demands that `Given` has no properties that `Known` lacks, at any depth of objects. */
export type NoOthers<Given, Known> = Given extends readonly unknown[] | UploadedFile
  ? Given
  : Given extends object
    ? {
        [Name in keyof Given]: Name extends keyof Known
          ? NoOthers<Given[Name], NonNullable<Known[Name]>>
          : never;
      }
    : Given;

/** The types of the result and the variables of a document with this text, by the committed schema. */
export type DocumentOf<Source extends string> = TypedDocument<
  ResultOf<Parsed<Source>>,
  VariablesOf<Parsed<Source>>
>;

type Parsed<Source extends string> = ReturnType<typeof parse<Source>>;

/** Exists only for its type, which is that of a document with this text. */
function parse<const Source extends string>(source: Source) {
  return tada(source, []);
}

declare const tada: initGraphQLTada<{
  introspection: introspection;
  disableMasking: true;
  scalars: Scalars;
}>;

/** The values of the schema's own scalars, as variables contain them and as results contain them in process. */
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
