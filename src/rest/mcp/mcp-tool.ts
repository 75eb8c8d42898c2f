import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { type ApiKeyCaller, scopeName } from '../../domain/caller.ts';
import { toDomainError } from '../../http/errors.ts';
import type { RestCall } from '../serve-operation.ts';

/** What a tool may use of the request that calls it. */
export interface ToolCall {
  readonly call: RestCall;
  readonly projectId: string;
  readonly request: ServerContext['mcpReq'];
}

/** A tool of the MCP server. It is listed only for keys with its scope. */
export interface Tool<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly scope: ApiKeyCaller['scopes'][number];
  readonly title: string;
  readonly description: string;
  /** Whether the tool changes nothing. */
  readonly isReadOnly: boolean;
  readonly input: Input;
  readonly output: Output;
  run(call: ToolCall, input: z.infer<Input>): Promise<z.infer<Output>>;
  /** Returns the result as text for a model. */
  format(output: z.infer<Output>): string;
}

/** Registers a tool if the key has its scope. An error of the domain becomes a tool error, which the model can read. */
export type RegisterTool = (
  server: McpServer,
  caller: ApiKeyCaller,
  context: Pick<ToolCall, 'call' | 'projectId'>,
) => void;

/** Checks the types of a tool and returns how it is registered. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Tool<Input, Output>,
): RegisterTool {
  const { name, title, description, isReadOnly } = tool;
  const config = {
    ...{ title, description: `${description} Needs the scope \`${scopeName(tool.scope)}\`.` },
    ...{ inputSchema: tool.input, outputSchema: tool.output },
    annotations: { readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: false },
  };
  return (server, caller, context) => {
    if (!caller.scopes.includes(tool.scope)) return;
    server.registerTool<z.ZodObject, z.ZodObject>(name, config, async (input, { mcpReq }) => {
      try {
        // The server has parsed the input with the tool's own schema.
        const output = await tool.run({ ...context, request: mcpReq }, input as z.infer<Input>);
        const text = tool.format(output);
        return { content: [{ type: 'text', text }], structuredContent: output };
      } catch (error) {
        return toolError(context.call, error);
      }
    });
  };
}

function toolError({ context }: RestCall, error: unknown): CallToolResult {
  const { code, message } = toDomainError(error);
  if (code === 'INTERNAL') context.log.error({ err: error }, 'tool failed');
  return { content: [{ type: 'text', text: `${code}: ${message}` }], isError: true };
}
