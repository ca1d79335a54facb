import { type RefObject, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Row } from '../../../text/types.ts';
import { lazyComponent } from '../../kit/lazy-component.tsx';
import type { RowActions } from '../../model/checklist/use-actions.ts';
import { fieldsOf, useDraftSlot } from '../../model/drafts/use-draft-slot.ts';
import { useFieldDraft } from '../../model/drafts/use-field-draft.ts';
import { useUnsaved } from '../../shell/navigation/navigation.ts';
import { useServices } from '../../shell/services/services.ts';
import { additionTo, draftBase, heldFieldOf, type TextPart } from './held-text.ts';
import type { FieldProps } from './text-field.tsx';
import type { OpenPart } from './use-open-part.ts';

/**
 * In place of an editor that failed to load: the plain field stays, and what is typed in it is kept for the next time
 * that the row is opened. Enter, or a focus that goes elsewhere, closes it.
 */
function NoField({ row, part, opened: { root }, onClose }: FieldProps) {
  const { issueId } = useServices().host;
  const slot = useDraftSlot(issueId && fieldsOf(issueId));
  const { found, isKept, keep } = useFieldDraft(slot, part, draftBase(row, part));
  const store = useEffectEvent(({ defaultValue, value }: HTMLTextAreaElement) =>
    keep(value === defaultValue ? undefined : value),
  );
  const discard = useEffectEvent(() => keep(undefined));
  // The only place of a text that is not kept stays.
  const close = useEffectEvent((withFocus: boolean) => isKept && onClose(withFocus));
  const joined = useRef<string>(undefined);
  useEffect(() => {
    const heldField = heldFieldOf(root);
    if (!heldField || found === undefined || found === joined.current) return;
    joined.current = found;
    heldField.value = found + additionTo(heldField.defaultValue, heldField.value);
  }, [root, found]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an older text that is found later is stored with this one.
  useEffect(() => {
    const heldField = heldFieldOf(root);
    if (!heldField) return undefined;
    // Enter was pressed before the message shows.
    heldField.readOnly = false;
    store(heldField);
    const type = () => store(heldField);
    const press = (event: KeyboardEvent) => {
      if (event.isComposing) return;
      if (event.key === 'Escape') discard();
      if (event.key !== 'Enter' || !(part === 'text' || event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      event.stopPropagation();
      close(true);
    };
    const leave = ({ relatedTarget }: FocusEvent) => relatedTarget && close(false);
    heldField.addEventListener('input', type);
    heldField.addEventListener('keydown', press);
    heldField.addEventListener('blur', leave);
    return () => {
      heldField.removeEventListener('input', type);
      heldField.removeEventListener('keydown', press);
      heldField.removeEventListener('blur', leave);
    };
  }, [root, part, found]);
  return (
    <p className="check-error" role="alert">
      {isKept
        ? "We couldn't load the editor of this item. What you type is kept: reload the page, and open the item again."
        : "We couldn't load the editor of this item. This browser can't keep what you type: copy it before you leave."}
    </p>
  );
}

const Field = lazyComponent(() => import('./text-field.tsx'), NoField);

/** Asks before what was typed in the plain field is left. */
function Unsaved({ root }: { root: RefObject<HTMLElement | null> }) {
  const [isDirty, setDirty] = useState(false);
  useUnsaved(isDirty);
  useEffect(() => {
    const heldField = heldFieldOf(root);
    const type = () => setDirty(heldField?.value !== heldField?.defaultValue);
    type();
    heldField?.addEventListener('input', type);
    return () => heldField?.removeEventListener('input', type);
  }, [root]);
  return null;
}

interface Props {
  row: Row;
  actions: RowActions;
  opened: OpenPart;
  part: TextPart;
}

/** A row's text or details in edit mode. */
export default function Edit({ row, actions, opened, part }: Props) {
  return (
    <>
      {opened.isHeld ? <Unsaved root={opened.root} /> : null}
      <Suspense>
        <Field
          row={row}
          part={part}
          draft={opened.draft}
          opened={opened}
          actions={actions}
          onClose={withFocus => opened.close(part, withFocus)}
          onRefused={(draft, id) => {
            // The row is unmounted: the change stays among the rejected ones.
            if (!opened.root.current?.isConnected) return;
            opened.open(part, draft);
            actions.discard(id);
          }}
        />
      </Suspense>
    </>
  );
}
