import { type RefObject, useEffect, useRef } from 'react';
import { edition } from '../../../domain/edition.ts';
import { fieldErrors, shortFieldErrors } from '../../../domain/fields.ts';
import { limitReached } from '../../../domain/messages.ts';
import { ItemsRequired } from '../../../text/errors.ts';
import { normaliseItems } from '../../../text/normalise.ts';
import { progressOf } from '../../../text/progress.ts';
import { readChecklist } from '../../../text/read.ts';
import type { Row } from '../../../text/types.ts';
import { Upgrade } from '../../shell/upgrade-link.tsx';

/** How many more items the edition holds; negative for a checklist that came over the limit otherwise. */
export const itemsLeft = (rows: readonly Row[]): number => edition.limits.itemsPerChecklist - progressOf(rows).total;

/** Why nothing can be added to these rows any more. */
export const limitRefusal = (rows: readonly Row[]): string | undefined =>
  itemsLeft(rows) <= 0 ? limitReached.items : undefined;

/** Why this text cannot be added to these rows, as far as that is known without the server. */
export function refusalOf(text: string, rows: readonly Row[]): string | undefined {
  try {
    const added = progressOf(readChecklist(normaliseItems(text)).rows).total;
    return added > 0 && added > itemsLeft(rows) ? limitReached.items : undefined;
  } catch (error) {
    if (error instanceof ItemsRequired) return shortFieldErrors.REQUIRED ?? fieldErrors.REQUIRED;
    throw error;
  }
}

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
