import { useEffect, useMemo, useState } from 'react';
import type { GenericSchema, InferOutput } from 'valibot';
import * as v from 'valibot';
import type { HostBridge } from '../../bridge/bridge.ts';
import { openStorage } from '../../client/browser-storage.ts';
import { type Choice, openPreference } from '../../client/choices.ts';
import { createStore, type Store } from '../../client/store.ts';
import { useBridge } from '../shell/services/services.ts';

/** The latest choices of a user in this browser, the newest first. Not stored while the account is unknown. */
export interface Recent extends Store<readonly string[]> {
  use(value: string): void;
}

interface Limits {
  /** The number of values remembered. */
  most: number;
  /** The length of a stored value. */
  length: number;
}

/** Opens the recent values of that name. */
export function openRecent(
  bridge: HostBridge,
  name: string,
  { most, length }: Limits,
  storage = openStorage(),
): Recent {
  const shape = v.array(v.pipe(v.string(), v.maxLength(length)));
  const recent = createStore<readonly string[]>([]);
  let choice: Choice<string[]> | undefined;
  /** Puts values before the stored ones, which another frame may have stored. */
  const put = (...latest: readonly string[]) =>
    recent.set([...new Set([...latest, ...(choice?.read() ?? recent.get())])].slice(0, most));
  openPreference(bridge, name, shape, storage).then(
    opened => {
      choice = opened;
      const early = recent.get();
      put(...early);
      if (early.length > 0) choice.keep([...recent.get()]);
    },
    () => undefined,
  );
  return {
    ...recent,
    use: value => {
      put(value);
      choice?.keep([...recent.get()]);
    },
  };
}

/** The account ids of the people whom the user chose lately. */
export const createRecentPeople = (bridge: HostBridge): Recent =>
  openRecent(bridge, 'people', { most: 8, length: 128 });

/** The ids of the templates that the user applied lately. */
export const createRecentTemplates = (bridge: HostBridge): Recent =>
  openRecent(bridge, 'templates', { most: 5, length: 64 });

/**
 * A preference of the user in this browser; `fallback` until it is read. `shape` is a stable reference. If the account is
 * not known, the preference is held in memory only.
 */
export function usePreference<Shape extends GenericSchema>(
  name: string,
  shape: Shape,
  fallback: InferOutput<Shape>,
): [chosen: InferOutput<Shape>, choose: (value: InferOutput<Shape>) => void] {
  const bridge = useBridge();
  const [choice, setChoice] = useState<Choice<InferOutput<Shape>> | undefined>(undefined);
  const [chosen, choose] = useState<InferOutput<Shape> | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    openPreference(bridge, name, shape).then(
      opened => isCurrent && setChoice(opened),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [bridge, name, shape]);
  useEffect(() => {
    if (chosen !== undefined) choice?.keep(chosen);
  }, [choice, chosen]);
  const stored = useMemo(() => choice?.read(), [choice]);
  return [chosen ?? stored ?? fallback, choose];
}
