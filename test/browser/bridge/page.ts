import type { Json } from '../../../src/bridge/bridge.ts';
import { openBridge } from '../../../src/bridge/index.ts';

/* The script of the frames under test: only the bridge, driven from the test. */

const opening = openBridge();
const unsubscribes: (() => void)[] = [];

/** The outcome of a call; an error keeps its name. */
export type Outcome = { value: unknown } | { error: { name: string; message: string } };

/** What the form of a workflow rule offers. */
let offered: string | undefined;

const driver = {
  /** What the frame's rule is, without its functions. */
  async rule(): Promise<{ kind: string; entry: string; config?: unknown }> {
    const rule = await (await (await opening).modules?.())?.rule();
    if (!rule) throw new Error('The bridge has no rules.');
    const { onSave: _, ...facts } = rule;
    return facts;
  },
  /** Offers a configuration, `null` for a form that is not valid. */
  async offer(config: string | null): Promise<void> {
    offered = config ?? undefined;
    await (await (await (await opening).modules?.())?.rule())?.onSave(() => offered);
  },
  /** Calls a method, whose name may be `preferences.get`. */
  async call(method: string, args: unknown): Promise<Outcome> {
    try {
      const bridge = await opening;
      const [name = '', ...of] = method.split('.').reverse();
      const owner: object = of.includes('preferences') ? bridge.preferences : bridge;
      const work: unknown = Reflect.get(owner, name);
      if (typeof work !== 'function') throw new Error(`The bridge has no ${method}.`);
      return { value: await work.apply(owner, args) };
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error));
      return { error: { name, message } };
    }
  },
  /** Sends each event to the test by the binding `publish`. Resolves with a number for `off`. */
  async on(event: string, listener: number): Promise<number> {
    const unsubscribe = (await opening).on(event, data => void window.publish(listener, data));
    return unsubscribes.push(unsubscribe) - 1;
  },
  off(subscription: number): void {
    unsubscribes[subscription]?.();
  },
  /** Closes the dialog, with JSON as its result, after the call has been answered: closing removes the frame. */
  close(result: string | undefined): void {
    void opening.then(bridge => setTimeout(() => bridge.closeDialog(result && JSON.parse(result))));
  },
};

declare global {
  interface Window {
    driver: typeof driver;
    /** Delivers an event to the test. */
    publish(listener: number, data: Json): Promise<void>;
    /** Reports that this frame can be driven. */
    opened(): Promise<void>;
  }
}

window.driver = driver;
void window.opened();
