import { useLayoutEffect, useRef } from 'react';
import { paste as messages } from '../../../domain/messages.ts';
import type { PastedItems, ReadAs } from '../../../text/convert/clip.ts';
import { useUser } from '../../shell/services/services.ts';

interface Props {
  pasted: PastedItems | undefined;
  /** Receives the paste as another notation reads it. */
  onReadAgain(pasted: PastedItems): void;
}

/** Says below a field what a paste was read as and lost, with the other notations that it could be in. */
export function PasteReport({ pasted, onReadAgain }: Props) {
  const { canEditChecklist, canDeleteChecklistItems } = useUser();
  const readAs = canEditChecklist && canDeleteChecklistItems ? pasted?.readAs : undefined;
  const latest = useRef(pasted);
  useLayoutEffect(() => {
    latest.current = pasted;
  });
  const isReading = useRef<boolean>(false);
  const readAgain = async ({ read }: ReadAs) => {
    // A second click would add the items twice.
    if (isReading.current) return;
    isReading.current = true;
    const again = await read().catch(() => ({ text: '', report: '', refusal: messages.notReadAgain }));
    isReading.current = false;
    // Typing meanwhile cancels.
    if (latest.current === pasted) onReadAgain(again);
  };
  return (
    <>
      <p className="check-losses" role="status">
        {pasted?.report}
      </p>
      {readAs ? (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend on a line of its own.
        <div
          className="check-losses check-read-as"
          role="group"
          aria-label={readAs.label}
          // A click leaves the focus in the field.
          onMouseDown={event => event.preventDefault()}
        >
          {readAs.label}
          {readAs.choices.map(choice => (
            <button key={choice.title} type="button" className="check-send" onClick={() => void readAgain(choice)}>
              {choice.title}
            </button>
          ))}
        </div>
      ) : null}
    </>
  );
}
