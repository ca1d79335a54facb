import type { CheckboxRow, HeaderRow } from '../../text/types.ts';

/*
 * What a row shows alike wherever it stands: in the panel, where it is worked on, and beside its text.
 */

/** What a row without words is called where it has to be called something. */
export const unnamed = 'empty row';

export const itemClass = ({ status }: CheckboxRow): string =>
  `check-row check-is-${status.slug.replaceAll('_', '-')}${status.checked ? ' check-checked' : ''}`;

export const Mandatory = () => (
  <span className="check-mandatory" title="Mandatory">
    <span aria-hidden="true">!</span>
    <span className="check-hidden">Mandatory: </span>
  </span>
);

const levels = ['h2', 'h3', 'h4', 'h5', 'h6', 'h6'] as const;

/** The heading that a header is, below the page's or the dialog's own. */
export const headingOf = ({ level }: HeaderRow) => levels[level - 1] ?? 'h6';

/** How far a section is; nothing where it has no items. */
export const SectionCount = ({ checked, total }: { checked: number; total: number }) =>
  total > 0 ? (
    <span className="check-count">
      <span aria-hidden="true">
        {checked}/{total}
      </span>
      <span className="check-hidden">
        {checked} of {total} done
      </span>
    </span>
  ) : null;
