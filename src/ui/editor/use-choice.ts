import { useCallback, useEffect, useState } from 'react';
import { type Choice, openChoice } from '../../client/choices.ts';
import { ownerOf } from '../../client/owner.ts';
import { useBridge } from '../app/hooks.ts';

/** Something switched on or off, as this person left it in this browser; `otherwise` until that is known. */
export function useChoice(name: string, otherwise: boolean): [on: boolean, choose: (on: boolean) => void] {
  const bridge = useBridge();
  const [choice, setChoice] = useState<Choice | undefined>(undefined);
  const [chosen, setChosen] = useState<boolean | undefined>(undefined);
  useEffect(() => {
    let wanted = true;
    ownerOf(bridge).then(
      owner => wanted && setChoice(openChoice(owner, name)),
      // Where nobody can tell whose it is, it lasts as long as the page.
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [bridge, name]);
  const choose = useCallback(
    (on: boolean) => {
      setChosen(on);
      choice?.keep(on);
    },
    [choice],
  );
  return [chosen ?? choice?.read() ?? otherwise, choose];
}
