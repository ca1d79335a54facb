import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import * as v from 'valibot';
import { beforeAll, expect, test } from 'vitest';
import { changeAnswer, checklist, foundChecklists } from '../../../../src/domain/api/schemas.ts';
import { programOf } from '../../../run/built.ts';
import { createToken, type TokenOptions } from '../../support/api.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { newIssue, update } from '../../support/checklists.ts';
import { onStore } from '../../support/stores.ts';

const resultShape = v.object({
  isError: v.optional(v.boolean(), false),
  content: v.array(v.object({ type: v.literal('text'), text: v.string() })),
  structuredContent: v.optional(v.unknown()),
});

const changeOutput = v.object({ ...changeAnswer.entries, confirm: v.nullable(v.string()) });

/** The command line's MCP server as a process, driven by the official client, on a server that listens. */
onStore(use => {
  let it: TestApp;
  let url: string;
  let client: Client;
  beforeAll(async () => {
    it = await startApp(use().store);
    url = await it.app.listen({ host: '127.0.0.1', port: 0 });
    client = await connect();
    return async () => {
      await client.close();
      await it.app.close();
    };
  });

  /** Starts the program with a token; the client closes it. */
  async function connect(options: TokenOptions = {}): Promise<Client> {
    const { secret } = await createToken(use().store, it, options);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [...programOf('cli/main'), 'mcp'],
      env: { SMART_CHECKLIST_URL: url, SMART_CHECKLIST_TOKEN: secret },
    });
    const started = new Client({ name: 'test', version: '1' });
    await started.connect(transport);
    // The client checks structured answers by the tools' own schemas once it has read them.
    await started.listTools();
    return started;
  }

  const call = async (name: string, args: Record<string, unknown>, of = client) =>
    v.parse(resultShape, await of.callTool({ name, arguments: args }));
  const refusal = async (name: string, args: Record<string, unknown>, of = client) => {
    const { isError, content } = await call(name, args, of);
    expect(isError).toBe(true);
    return content.map(({ text }) => text).join('\n');
  };
  const read = async (issue: string) => v.parse(checklist, (await call('read_checklist', { issue })).structuredContent);

  test('the tools are described, with the vocabulary of changes in the input of the one that changes', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...['read_checklist', 'list_checklist_revisions', 'change_checklist', 'search_checklists'],
      ...['list_checklist_templates', 'convert_to_checklist', 'export_checklist'],
    ]);
    for (const { description, inputSchema, outputSchema } of tools) {
      expect(description?.length).toBeGreaterThan(40);
      expect([inputSchema.type, outputSchema?.type]).toEqual(['object', 'object']);
    }
    const writing = tools.filter(({ annotations }) => !annotations?.readOnlyHint);
    expect(writing.map(({ name }) => name)).toEqual(['change_checklist']);
    const input = JSON.stringify(writing[0]?.inputSchema);
    for (const kind of ['setItemStatus', 'applyTemplateToChecklist', 'restoreChecklistRevision']) {
      expect(input).toContain(`"${kind}"`);
    }
  });

  test('a checklist is read, changed after a dry run, and found', async () => {
    const issue = await newIssue(it);
    await issue.edit(update('- a\n- b [~accountid:ana]'));
    const { revision, rows } = await read(`PR-${issue.id}`);
    expect(rows.map(({ text }) => text)).toEqual(['a', 'b [~accountid:ana]']);
    const change = { kind: 'setItemStatus', target: { index: 0, text: 'a' }, status: 'done' };
    const about = { issue: issue.id, revision, change };
    expect(await refusal('change_checklist', { ...about, confirm: 'yes' })).toContain('Leave it out first');
    const dry = v.parse(changeOutput, (await call('change_checklist', about)).structuredContent);
    const { confirm } = dry;
    expect(dry).toMatchObject({ dryRun: true, text: '+ a\n- b [~accountid:ana]' });
    expect((await issue.read()).text).toBe('- a\n- b [~accountid:ana]');
    const other = { ...about, change: { ...change, status: 'skipped' }, confirm };
    expect(await refusal('change_checklist', other)).toContain('Leave it out first');
    const made = await call('change_checklist', { ...about, confirm });
    expect(v.parse(changeOutput, made.structuredContent)).toMatchObject({
      dryRun: false,
      text: dry.text,
      confirm: null,
    });
    expect((await issue.read()).text).toBe(dry.text);
    // A repeated call is answered as before.
    expect(await call('change_checklist', { ...about, confirm })).toEqual(made);

    const found = await call('search_checklists', { assignee: 'ana', open: true });
    const { checklists } = v.parse(foundChecklists, found.structuredContent);
    expect(checklists.map(each => each.issue.id)).toContain(issue.id);
    const list = await call('list_checklist_revisions', { issue: issue.id, first: 1 });
    expect(list.structuredContent).toMatchObject({ revisions: [{ kind: 'setItemStatus' }] });
  });

  test('notations are converted without a call of the API', async () => {
    const { structuredContent } = await call('convert_to_checklist', {
      text: '# To do\n- [x] a\n- [ ] b',
      from: 'github',
    });
    expect(structuredContent).toEqual({ text: '# To do\n+ a\n- b', notation: 'github', lost: [] });
    const exported = await call('export_checklist', { text: '+ a\n- b', to: 'github' });
    expect(exported.structuredContent).toMatchObject({ text: expect.stringContaining('- [x] a') });
  });

  test('errors are results of the tool, with code, rows and reasons', async () => {
    const issue = await newIssue(it);
    await issue.edit(update('- a'));
    const { revision } = await read(issue.id);
    expect(await refusal('read_checklist', { issue: '999999999' })).toContain('NOT_FOUND');
    expect(await refusal('read_checklist', { issue: 7 })).toContain('issue');
    expect(await refusal('read_checklist', {})).toContain('issue');
    expect(await refusal('change_checklist', { issue: issue.id, revision, change: { kind: 'explode' } })).toContain(
      'kind',
    );
    const add = { kind: 'addChecklistItemsFromText', text: 'Until 2026-02-31' };
    const about = { issue: issue.id, revision, change: add };
    const dry = await call('change_checklist', about);
    const { confirm } = v.parse(changeOutput, dry.structuredContent);
    const refused = await refusal('change_checklist', { ...about, confirm });
    expect(refused).toContain('"DIAGNOSTICS"');
    expect(refused).toContain('"row":1');
    // The same change is made where its diagnostics are accepted.
    const report = { ...about, diagnostics: 'report' };
    const again = v.parse(changeOutput, (await call('change_checklist', report)).structuredContent);
    const accepted = await call('change_checklist', { ...report, confirm: again.confirm });
    expect(accepted.structuredContent).toMatchObject({ text: '- a\n- Until 2026-02-31', diagnostics: [{ row: 1 }] });
    expect(await call('change_checklist', { ...report, confirm: again.confirm })).toEqual(accepted);
    await issue.edit(update('- b'));
    expect(await refusal('change_checklist', { issue: issue.id, revision, change: add })).toContain('REVISION_CHANGED');
    await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toThrow('There is no tool');
  });

  test('a token that can only read changes nothing', async () => {
    const issue = await newIssue(it);
    await issue.edit(update('- a'));
    const { revision } = await read(issue.id);
    const reader = await connect({ scope: 'READ' });
    const about = { issue: issue.id, revision, change: { kind: 'clearChecklist' } };
    expect(await refusal('change_checklist', about, reader)).toContain('FORBIDDEN');
    expect((await call('read_checklist', { issue: issue.id }, reader)).isError).toBe(false);
    await reader.close();
    expect((await issue.read()).text).toBe('- a');
  });
});
