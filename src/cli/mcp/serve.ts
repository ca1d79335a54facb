import type { Readable, Writable } from 'node:stream';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  type ListToolsResult,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { jsonSchemaOf } from '../../domain/api/json-schema.ts';
import { build } from '../../domain/build/build.ts';
import { type ApiConfig, ApiError, createApi } from './api.ts';
import { createTools, type Tool, ToolRefusal } from './tools.ts';

/** The streams of the protocol. */
export interface Streams {
  input: Readable;
  output: Writable;
}

const listed = (
  name: string,
  { title, description, input, output, isReadOnly }: Tool,
): ListToolsResult['tools'][number] => ({
  ...{ name, title, description },
  inputSchema: { ...jsonSchemaOf(input), type: 'object' },
  outputSchema: { ...jsonSchemaOf(output), type: 'object' },
  annotations: { readOnlyHint: isReadOnly, destructiveHint: !isReadOnly, idempotentHint: true, openWorldHint: false },
});

const text = (words: string): CallToolResult['content'] => [{ type: 'text', text: words }];

/** An expected error as the result of a tool; rethrows any other. */
function failed(error: unknown): CallToolResult {
  if (error instanceof ToolRefusal) return { isError: true, content: text(error.message) };
  if (!(error instanceof ApiError)) throw error;
  const { message, problem, retryAfter } = error;
  const wait = retryAfter === undefined ? '' : ` Try again in ${retryAfter} seconds.`;
  const details =
    problem && JSON.stringify({ code: problem.code, field: problem.field, diagnostics: problem.diagnostics });
  return { isError: true, content: text([`${message}${wait}`, ...(details ? [details] : [])].join('\n')) };
}

async function resultOf(tool: Tool, toolInput: unknown): Promise<CallToolResult> {
  try {
    const answer = await tool.run(toolInput);
    return { content: text(JSON.stringify(answer)), structuredContent: answer as Record<string, unknown> };
  } catch (error) {
    return failed(error);
  }
}

/** Serves the tools until the input ends and all calls are answered. */
export async function serve(config: ApiConfig, { input, output }: Streams, send?: typeof fetch): Promise<void> {
  const tools = createTools(createApi(config, send), config.token);
  const server = new Server(
    { name: 'smart-checklist', version: build.version },
    {
      capabilities: { tools: {} },
      instructions:
        'Checklists on issues. Read a checklist before you change it, and make a dry run of each change first.',
    },
  );
  const running = new Set<Promise<CallToolResult>>();
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.entries(tools).map(([name, tool]) => listed(name, tool)),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: given = {} } }) => {
    const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${JSON.stringify(name)}.`);
    const result = resultOf(tool, given);
    running.add(result);
    return result.finally(() => running.delete(result));
  });
  const ended = new Promise<void>(resolve => {
    server.onclose = resolve;
    const end = async () => {
      await Promise.allSettled(running);
      // The last answer is sent in the same turn.
      setImmediate(() => void server.close());
    };
    input.once('end', () => void end());
  });
  await server.connect(new StdioServerTransport(input, output));
  await ended;
}
