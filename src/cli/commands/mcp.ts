import { readAs, webUrl } from '../../domain/shape.ts';
import type { Call, Command } from '../command.ts';
import { UsageError } from '../errors.ts';

/** Hosts that are reached without a network. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** The app's address. A token is sent over a network only with TLS. */
function urlOf(call: Call): string {
  const url = readAs(webUrl, call.variable('SMART_CHECKLIST_URL'));
  if (url === undefined) throw new UsageError('SMART_CHECKLIST_URL is to be an https address.');
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:' && !loopback.test(hostname)) throw new UsageError('SMART_CHECKLIST_URL has no https.');
  return url.replace(/\/+$/, '');
}

export const mcp: Command = {
  name: 'mcp',
  summary: 'a server of the Model Context Protocol for checklists of issues',
  takesText: false,
  options: {},
  details: `Speaks the protocol on standard input and output until the input ends. Its tools read, search and change
checklists by the app's API, and convert notations. Set in the environment:

  SMART_CHECKLIST_URL      the app's address, such as https://checklists.example
  SMART_CHECKLIST_TOKEN    an API token, which a site administrator creates in the app's settings

A change is made only after a dry run of it. With a token that can only read, changes are refused.`,
  async run(call) {
    const url = urlOf(call);
    const token = call.variable('SMART_CHECKLIST_TOKEN')?.trim();
    if (!token) throw new UsageError('SMART_CHECKLIST_TOKEN is missing.');
    // The protocol's package is as large as the rest of the program.
    const { serve } = await import('../mcp/serve.ts');
    await serve({ url, token }, call.environment.streams());
    return { output: '' };
  },
};
