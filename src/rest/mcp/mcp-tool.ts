import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { scopeName } from '../../domain/permissions.ts';
import { toDomainError } from '../../http/errors.ts';
import type { McpCall, ToolScope } from './open-mcp-call.ts';
import { portableSchema } from './portable-schema.ts';

/** Parts of a request that the tool may use. */
export interface ToolCall {
  readonly call: McpCall;
  readonly projectId: string;
  readonly request: ServerContext['mcpReq'];
}

/** A tool of the MCP server. Only callers with the scope of the tool see the tool. */
export interface Tool<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly scope: ToolScope;
  readonly title: string;
  readonly description: string;
  /** True if the tool only reads data. */
  readonly isReadOnly: boolean;
  readonly input: Input;
  readonly output: Output;
  run(call: ToolCall, input: z.infer<Input>): Promise<z.infer<Output>>;
  /** Returns the result as text for a model. */
  format(output: z.infer<Output>): string;
}

/**
 * Registers a tool if the caller has the scope of the tool. A domain error becomes a tool error, which the model can
 * read.
 */
export type RegisterTool = (server: McpServer, call: McpCall) => void;

/** Checks the types of a tool and returns a function that registers the tool. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Tool<Input, Output>,
): RegisterTool {
  const { name, title, description, isReadOnly } = tool;
  const config = {
    ...{ title, description: `${description} Needs the scope \`${scopeName(tool.scope)}\`.` },
    inputSchema: portableSchema(tool.input),
    outputSchema: portableSchema(tool.output),
    annotations: { readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: false },
  };
  return (server, call) => {
    if (!call.scopes.includes(tool.scope)) return;
    const { projectId } = call;
    server.registerTool(name, config, async (input, { mcpReq }) => {
      try {
        const output = await tool.run({ call, projectId, request: mcpReq }, input);
        const text = tool.format(output);
        return { content: [{ type: 'text', text }], structuredContent: output };
      } catch (error) {
        return toolError(call, error);
      }
    });
  };
}

function toolError({ context }: McpCall, error: unknown): CallToolResult {
  const { code, message } = toDomainError(error);
  if (code === 'INTERNAL') context.log.error({ err: error }, 'tool failed');
  return { content: [{ type: 'text', text: `${code}: ${message}` }], isError: true };
}
