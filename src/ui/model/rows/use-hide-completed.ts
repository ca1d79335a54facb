import { useCallback, useEffect, useRef, useState } from 'react';
import { keyOf, openStorage, safeStorage } from '../../../client/browser-storage.ts';
import { getUserProperty, setUserProperty } from '../../../client/tracker/properties.ts';
import { edition } from '../../../domain/edition.ts';
import { HIDE_COMPLETED, isYes, yesNo } from '../../../domain/storage.ts';
import { useBridge, useUser } from '../../shell/hooks.ts';

/** What it was here last: it is painted before the tracker has said it. */
const KEPT = keyOf(`${edition.key}.${HIDE_COMPLETED}`);

const keep = (value: boolean) => safeStorage(openStorage()).set(KEPT, yesNo(value));

/** The user's setting that completed items are left out (spec §3; §7, rows 5 to 7). It follows them to every issue. */
export function useHideCompleted(): [boolean, (value: boolean) => void] {
  const bridge = useBridge();
  const { id, isAnonymous } = useUser();
  const [hide, setHide] = useState(() => isYes(safeStorage(openStorage()).get(KEPT)));
  /** What somebody clicked goes before what the tracker answers late. */
  const chosen = useRef(false);
  useEffect(() => {
    if (isAnonymous) return undefined;
    let wanted = true;
    getUserProperty(bridge, id, HIDE_COMPLETED, 'false').then(
      value => {
        if (!wanted || chosen.current) return;
        setHide(isYes(value));
        keep(isYes(value));
      },
      // Then it stays as it was here last.
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [bridge, id, isAnonymous]);
  const change = useCallback(
    (value: boolean) => {
      chosen.current = true;
      setHide(value);
      keep(value);
      if (isAnonymous) return;
      // It holds here all the same, and is tried again with the next click.
      setUserProperty(bridge, id, HIDE_COMPLETED, yesNo(value)).catch(() => undefined);
    },
    [bridge, id, isAnonymous],
  );
  return [hide, change];
}
