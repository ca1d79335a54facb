import { type RefObject, useEffect, useRef } from 'react';
import { limitReached } from '../../../domain/messages.ts';
import type { Row } from '../../../text/types.ts';
import { itemsLeft } from '../../model/checklist/item-limit.ts';
import { Upgrade } from '../../shell/upgrade-link.tsx';

/** So few that one should know before one types. */
const FEW = 5;

/** In place of the input when the edition's room is used up. */
export function Full({ message, focused }: { message: string; focused: RefObject<boolean> }) {
  const reason = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The input goes with the last item that there was room for; whoever typed in it hears why.
    if (focused.current) reason.current?.focus();
  }, [focused]);
  return (
    <p ref={reason} className="check-closed" tabIndex={-1}>
      <span>{message}</span> <Upgrade />
    </p>
  );
}

/** How much room the edition leaves, where that is little. */
export function Room({ rows }: { rows: readonly Row[] }) {
  const left = itemsLeft(rows);
  return left <= FEW ? (
    <p className="check-room">
      {limitReached.room(left)} <Upgrade />
    </p>
  ) : null;
}
