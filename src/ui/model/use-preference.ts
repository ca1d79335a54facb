import { useEffect, useMemo, useState } from 'react';
import type { GenericSchema, InferOutput } from 'valibot';
import { type Choice, openChoice } from '../../client/choices.ts';
import { useBridge } from '../shell/services/services.ts';

/**
 * What this person has chosen in this browser; `otherwise` until that is known. `shape` is the same in every rendering.
 * Where nobody can tell whose a choice is, it lasts as long as the page.
 */
export function usePreference<Shape extends GenericSchema>(
  name: string,
  shape: Shape,
  otherwise: InferOutput<Shape>,
): [chosen: InferOutput<Shape>, choose: (value: InferOutput<Shape>) => void] {
  const bridge = useBridge();
  const [choice, setChoice] = useState<Choice<InferOutput<Shape>> | undefined>(undefined);
  const [chosen, choose] = useState<InferOutput<Shape> | undefined>(undefined);
  useEffect(() => {
    let wanted = true;
    bridge.owner().then(
      owner => wanted && setChoice(openChoice(owner, name, shape)),
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [bridge, name, shape]);
  useEffect(() => {
    if (chosen !== undefined) choice?.keep(chosen);
  }, [choice, chosen]);
  const kept = useMemo(() => choice?.read(), [choice]);
  return [chosen ?? kept ?? otherwise, choose];
}
