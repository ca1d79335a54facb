import { expect, test } from 'vitest';
import type { HostBridge, HostContext, Json } from '../../src/bridge/bridge.ts';

/** A bridge with asynchronous methods only, so that it may live in another process. */
export interface DrivenBridge
  extends Pick<HostBridge, 'context' | 'request' | 'signIn' | 'owner' | 'openDialog' | 'preferences' | 'hostUrl'> {
  rule(): Promise<unknown>;
  closeDialog(result?: Json): unknown;
  emit(event: string, data: Json): unknown;
  on(event: string, listener: (data: Json) => void): (() => unknown) | Promise<() => unknown>;
}

/** The fake trackers' issue. */
export const ABC_1 = { issueKey: 'ABC-1', issueId: '10001', projectKey: 'ABC', projectId: '10000' };

/** The frame of a workflow rule's configuration. */
export interface DrivenRule {
  /** What `HostBridge.rule` says of it. */
  facts(): Promise<{ kind: string; entry: string; config?: unknown }>;
  /** Offers a configuration, none for a form that is not valid. */
  offer(config: string | undefined): Promise<unknown>;
  /** Saves as the user does; resolves with what the tracker keeps then. */
  save(): Promise<string | undefined>;
}

/** A tracker with the add-on's frames: a fake one, or the local one in a browser. */
export interface TestTracker {
  /** The issue whose panel `panel` opens. */
  issue: Required<Pick<HostContext, 'issueKey' | 'issueId' | 'projectKey' | 'projectId'>>;
  /** Opens the issue's panel in a frame of its own; several may be on the same page. */
  panel(): Promise<DrivenBridge>;
  /** Opens the form of a new validator, or of the one that was saved last. */
  rule(entry: 'create' | 'edit'): Promise<DrivenRule>;
  /** The topmost dialog's own bridge, once loaded. */
  dialog(): Promise<DrivenBridge>;
  /** Escape, pressed in the topmost dialog. */
  escape(): Promise<void>;
  /** An address of the tracker that answers with this status and text. */
  answering(status: number, text: string): Promise<string>;
  /** An address without an answer. */
  silent(): Promise<string>;
}

/** The contract of every adapter, for any host. */
export function bridgeContract(name: string, open: () => Promise<TestTracker>): void {
  test(`${name}: the context says where the frame stands and what it is about`, async () => {
    const tracker = await open();
    const panel = await tracker.panel();
    expect(await panel.context()).toMatchObject({ surface: 'issue-context', ...tracker.issue });
  });

  test(`${name}: it says whose browser this is, and addresses of the tracker`, async () => {
    const panel = await (await open()).panel();
    expect(await panel.owner()).toEqual({ tenant: expect.stringMatching(/./), account: expect.stringMatching(/./) });
    expect(await panel.hostUrl('/browse/ABC-1')).toMatch(/^https?:\/\/[^/]+\/browse\/ABC-1$/);
  });

  test(`${name}: it signs in`, async () => {
    const panel = await (await open()).panel();
    const { status, text } = await panel.signIn();
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ token: expect.stringMatching(/./) });
  });

  test.for([
    [200, '{"a":null}'],
    [204, ''],
    [400, '{"errorMessages":["No."]}'],
    [404, 'Not found'],
    [500, ''],
  ] as const)(`${name}: a request's answer arrives whatever its status: %s`, async ([status, text]) => {
    const tracker = await open();
    const panel = await tracker.panel();
    expect(await panel.request(await tracker.answering(status, text))).toMatchObject({ status, text });
  });

  test(`${name}: a request without an answer rejects with HostUnreachable`, async () => {
    const tracker = await open();
    const panel = await tracker.panel();
    await expect(panel.request(await tracker.silent())).rejects.toMatchObject({ name: 'HostUnreachable' });
  });

  test(`${name}: a dialog is handed its data and hands back its result, null included`, async () => {
    const tracker = await open();
    const panel = await tracker.panel();
    const closed = panel.openDialog('editor', { text: 'a\n- b', extra: null });
    const dialog = await tracker.dialog();
    expect((await dialog.context()).dialogData).toEqual({ text: 'a\n- b', extra: null });
    await dialog.closeDialog({ saved: true, note: null });
    expect(await closed).toEqual({ saved: true, note: null });
  });

  test(`${name}: a dialog closed without a result, or dismissed, resolves with nothing`, async () => {
    const tracker = await open();
    const panel = await tracker.panel();
    const first = panel.openDialog('templates', {});
    await (await tracker.dialog()).closeDialog();
    expect(await first).toBeUndefined();
    const second = panel.openDialog('templates', {});
    await tracker.dialog();
    await tracker.escape();
    expect(await second).toBeUndefined();
  });

  test(`${name}: the editor dialog stays open on Escape`, async () => {
    const tracker = await open();
    const panel = await tracker.panel();
    const closed = panel.openDialog('editor', {});
    const dialog = await tracker.dialog();
    await tracker.escape();
    await dialog.closeDialog('kept');
    expect(await closed).toBe('kept');
  });

  test(`${name}: a dialog opened from a dialog closes alone`, async () => {
    const tracker = await open();
    const panel = await tracker.panel();
    let outerResult: unknown = 'open';
    const outerClosed = panel.openDialog('editor', 'outer').then(result => {
      outerResult = result;
    });
    const outer = await tracker.dialog();
    await outer.context();

    const dismissed = outer.openDialog('templates', 'inner');
    await (await tracker.dialog()).context();
    await tracker.escape();
    expect(await dismissed).toBeUndefined();
    expect(outerResult).toBe('open');

    const finished = outer.openDialog('templates', 'inner');
    await (await tracker.dialog()).closeDialog('picked');
    expect(await finished).toBe('picked');
    expect(outerResult).toBe('open');

    await outer.closeDialog('done');
    await outerClosed;
    expect(outerResult).toBe('done');
  });

  test(`${name}: frames get events of other frames only, and none after unsubscribing`, async () => {
    const tracker = await open();
    const [here, there] = [await tracker.panel(), await tracker.panel()];
    const received: unknown[] = [];
    const own: unknown[] = [];
    await here.on('changed', data => own.push(data));
    const off = await there.on('changed', data => received.push(data));
    await here.emit('changed', { issueId: '10001', note: null });
    await expect.poll(() => received).toEqual([{ issueId: '10001', note: null }]);
    await off();
    await here.emit('changed', 'again');
    await there.emit('changed', 'back');
    await expect.poll(() => own).toEqual(['back']);
    expect(received).toHaveLength(1);
  });

  test(`${name}: a preference is kept as it was given`, async () => {
    const panel = await (await open()).panel();
    expect(await panel.preferences.get('layout')).toBeUndefined();
    await panel.preferences.set('layout', 'wide|"=%');
    expect(await panel.preferences.get('layout')).toBe('wide|"=%');
  });

  test(`${name}: a workflow rule's form gives what the tracker keeps, and gets it again`, async () => {
    const tracker = await open();
    const form = await tracker.rule('create');
    expect(await form.facts()).toEqual({ kind: 'validator', entry: 'create' });
    await form.offer(undefined);
    expect(await form.save()).toBeUndefined();
    const config = { v: 1, names: ["it's", 'a"b', '{x}'], expression: "x == 'ä'", none: null };
    await form.offer(JSON.stringify(config));
    expect(JSON.parse((await form.save()) ?? '')).toEqual(config);
    const facts = await (await tracker.rule('edit')).facts();
    expect(facts).toMatchObject({ kind: 'validator', entry: 'edit' });
    const kept: unknown = typeof facts.config === 'string' ? JSON.parse(facts.config) : facts.config;
    expect(kept).toEqual(config);
  });

  test(`${name}: another frame is for no rule`, async () => {
    const panel = await (await open()).panel();
    await expect(panel.rule()).rejects.toThrow();
  });
}
