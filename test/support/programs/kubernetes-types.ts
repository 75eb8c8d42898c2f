import { resolve } from 'node:path';
import ts from 'typescript';
import type { Manifest } from './read-manifests.ts';

/**
 * Returns the errors of Kubernetes objects by the types of `kubernetes-models`, which are generated from the API of
 * Kubernetes. TypeScript refuses unknown fields in literals. The validators of the package accept them.
 */
export function kubernetesTypeErrors(manifests: readonly Manifest[]): string[] {
  const lines = manifests.map((manifest, index) => {
    const { apiVersion, kind } = manifest;
    const name = `${kind}${index}`;
    const literal = JSON.stringify(manifest);
    return `import type { I${kind} as ${name} } from 'kubernetes-models/${apiVersion}';
      const value${index}: ${name} = ${literal};`;
  });
  return compile(`${lines.join('\n')}\nexport {};`);
}

function compile(text: string): string[] {
  const path = resolve('test/support/kubernetes-manifests.generated.ts');
  const options: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
    ...{ target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext },
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === path || fileExists(name);
  host.getSourceFile = (name, ...rest) =>
    name === path ? ts.createSourceFile(name, text, rest[0]) : getSourceFile(name, ...rest);
  return ts
    .getPreEmitDiagnostics(ts.createProgram([path], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
