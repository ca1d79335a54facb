import CheckIcon from '@atlaskit/icon/core/check-mark';
import { chips, gates as words } from '../../../domain/messages.ts';
import type { HeaderRow } from '../../../text/types.ts';
import type { OpenPart } from './use-open-part.ts';

interface Props {
  row: HeaderRow;
  name: string;
  /** How many of the section's items are open. */
  open: number;
  tab: 0 | -1;
  opened: OpenPart;
}

/** A section's gates with what is open, and whether customers see it. */
export function SectionMarks({ row: { gates, customers }, name, open, tab, opened }: Props) {
  const before = words.before(gates);
  return (
    <span className="check-meta check-marks">
      {gates.length === 0 ? null : open > 0 ? (
        <button
          type="button"
          className="check-mark check-mark-open"
          tabIndex={tab}
          aria-label={`${name}: ${before}: ${words.open(open)}`}
          aria-haspopup="dialog"
          aria-expanded={opened.part === 'openItems'}
          title={before}
          onClick={() => (opened.part === 'openItems' ? opened.close('openItems', true) : opened.open('openItems'))}
        >
          <span className="check-mark-name">{before}</span>: {words.open(open)}
        </button>
      ) : (
        <span className="check-mark check-mark-complete" title={before}>
          <CheckIcon label="" size="small" />
          <span className="check-mark-name">{before}</span>
          <span className="check-hidden">: {words.complete}</span>
        </span>
      )}
      {customers ? <span className="check-mark">{chips.customers}</span> : null}
    </span>
  );
}
