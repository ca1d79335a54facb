import { useEffect, useMemo, useState } from 'react';
import type { GenericSchema, InferOutput } from 'valibot';
import { type Choice, openPreference } from '../../client/choices.ts';
import { useBridge } from '../shell/services/services.ts';

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
    let wanted = true;
    openPreference(bridge, name, shape).then(
      opened => wanted && setChoice(opened),
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [bridge, name, shape]);
  useEffect(() => {
    if (chosen !== undefined) choice?.keep(chosen);
  }, [choice, chosen]);
  const stored = useMemo(() => choice?.read(), [choice]);
  return [chosen ?? stored ?? fallback, choose];
}
