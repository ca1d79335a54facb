import { type RefObject, useEffect, useRef } from 'react';
import { edition } from '../../../domain/edition.ts';
import { typingError } from '../../../domain/fields.ts';
import { limitReached } from '../../../domain/messages.ts';
import { ItemsRequired } from '../../../text/errors.ts';
import { normaliseItems } from '../../../text/normalise.ts';
import { progressOf } from '../../../text/progress.ts';
import { readChecklist } from '../../../text/read.ts';
import type { Row } from '../../../text/types.ts';
import { Upgrade } from '../../shell/navigation/links.tsx';

/** The number of items left up to the edition's limit; negative if a checklist exceeds it. */
export const itemsLeft = (rows: readonly Row[]): number => edition.limits.itemsPerChecklist - progressOf(rows).total;

/** The message if the limit is reached, else `undefined`. */
export const limitRefusal = (rows: readonly Row[]): string | undefined =>
  itemsLeft(rows) <= 0 ? limitReached.items : undefined;

/** The message if the text cannot be added; the server may still refuse it. */
export function refusalOf(text: string, rows: readonly Row[]): string | undefined {
  try {
    const added = progressOf(readChecklist(normaliseItems(text)).rows).total;
    return added > 0 && added > itemsLeft(rows) ? limitReached.items : undefined;
  } catch (error) {
    if (error instanceof ItemsRequired) return typingError('REQUIRED');
    throw error;
  }
}

/** At most as many items left show the number left. */
const FEW = 5;

/** Replaces the input when the limit is reached. */
export function Full({ message, focused }: { message: string; focused: RefObject<boolean> }) {
  const reason = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The focused input was replaced: focus the message, which screen readers then announce.
    if (focused.current) reason.current?.focus();
  }, [focused]);
  return (
    <p ref={reason} className="check-closed" tabIndex={-1}>
      <span>{message}</span> <Upgrade />
    </p>
  );
}

/** The number of items left, if few. */
export function Room({ rows }: { rows: readonly Row[] }) {
  const left = itemsLeft(rows);
  return left <= FEW ? (
    <p className="check-room">
      {limitReached.room(left)} <Upgrade />
    </p>
  ) : null;
}
