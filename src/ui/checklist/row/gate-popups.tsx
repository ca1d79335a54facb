import { useEffect, useRef, useState } from 'react';
import { failureMessage } from '../../../client/errors.ts';
import { readIssueStatuses } from '../../../client/tracker/workflow.ts';
import { shell, gates as words } from '../../../domain/messages.ts';
import { openItems } from '../../../text/header/gates.ts';
import { distinctGates, isGateName } from '../../../text/header/marks.ts';
import { normalName } from '../../../text/status-registry.ts';
import type { HeaderRow } from '../../../text/types.ts';
import { Check } from '../../kit/form/form.tsx';
import { Popover } from '../../kit/popover.tsx';
import type { RowActions } from '../../model/checklist/use-actions.ts';
import { nameOf } from '../../model/rows/row-segments.ts';
import { useBridge } from '../../shell/services/services.ts';
import { showRow } from '../list/list-moves.ts';
import EnforcementNote from './enforcement-note.tsx';
import { type RowProps, unnamed } from './row-parts.tsx';

interface Props {
  row: HeaderRow;
  name: string;
  actions: RowActions;
  onClose(withFocus: boolean): void;
}

const MAX_LISTED_ITEMS = 10;

/** The open items of a gated section; each item leads to its row. */
export function OpenItems({ row, name, actions, list, onClose }: Props & Pick<RowProps, 'list'>) {
  const checklist = actions.latest();
  const open = checklist ? openItems(checklist, row) : [];
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  return (
    <Popover label={`Open items of ${name}`} onClose={onClose}>
      <p className="check-gate-title">
        {words.before(row.gates)}: {words.open(open.length)}
      </p>
      <p className="check-gate-note">
        <EnforcementNote issueId={actions.issueId} about="gates" />
      </p>
      <ul className="check-gate-items">
        {open.slice(0, MAX_LISTED_ITEMS).map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no ids here.
          <li key={index}>
            <button
              ref={index === 0 ? first : undefined}
              type="button"
              className="check-tool"
              onClick={() => {
                onClose(false);
                showRow(list, item);
              }}
            >
              {nameOf(item) || unnamed}
            </button>
          </li>
        ))}
      </ul>
      {open.length > MAX_LISTED_ITEMS ? (
        <p className="check-gate-note">And {open.length - MAX_LISTED_ITEMS} more.</p>
      ) : null}
    </Popover>
  );
}

/** Chooses the statuses that a section gates. Each choice is saved at once. */
export function Gates({ row, name, actions, onClose }: Props) {
  const bridge = useBridge();
  const { issueId } = actions;
  const [data, setData] = useState<readonly string[]>();
  const [error, setError] = useState('');
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads again.
  useEffect(() => {
    let gone = false;
    setError('');
    readIssueStatuses(bridge, issueId).then(
      names => gone || setData(names),
      (reason: unknown) => gone || setError(failureMessage(reason)),
    );
    return () => {
      gone = true;
    };
  }, [bridge, issueId, attempt]);
  const offered = distinctGates([...(data ?? []), ...row.gates]);
  const chosen = new Set(row.gates.map(normalName));
  const knownGates = new Set((data ?? row.gates).map(normalName));
  const box = useRef<HTMLDivElement>(null);
  const isLoaded = data !== undefined || error !== '';
  useEffect(() => {
    if (isLoaded) box.current?.querySelector<HTMLElement>('input, button')?.focus();
  }, [isLoaded]);
  const toggle = (gate: string) =>
    chosen.has(normalName(gate))
      ? actions.setSection(
          row,
          { gates: row.gates.filter(each => normalName(each) !== normalName(gate)) },
          `Gate removed before ${gate}`,
        )
      : actions.setSection(row, { gates: [...row.gates, gate] }, `Gate set before ${gate}`);
  return (
    <Popover label={`Gates of ${name}`} onClose={onClose}>
      <div ref={box} className="check-popover-form" tabIndex={-1}>
        <strong>Gate before a status</strong>
        <p className="check-gate-note">{words.explained}</p>
        <p className="check-gate-note">
          <EnforcementNote issueId={issueId} about="gates" />
        </p>
        {offered.filter(isGateName).map(gate => (
          <Check key={normalName(gate)} checked={chosen.has(normalName(gate))} onChange={() => toggle(gate)}>
            {knownGates.has(normalName(gate)) ? gate : `${gate} (${words.unknown})`}
          </Check>
        ))}
        <p role="status">{isLoaded ? '' : 'Loading statuses…'}</p>
        {error === '' ? null : (
          <p role="alert" title={error}>
            {words.failed}
          </p>
        )}
        <div className="check-popover-buttons">
          {error === '' ? null : (
            <button type="button" className="check-tool" onClick={() => setAttempt(attempt + 1)}>
              {shell.retry}
            </button>
          )}
          {row.gates.length > 0 ? (
            <button
              type="button"
              className="check-tool"
              onClick={() => {
                // The button disappears.
                box.current?.focus();
                actions.setSection(row, { gates: [] }, 'Gates removed');
              }}
            >
              Remove gates
            </button>
          ) : null}
          <button type="button" className="check-tool" onClick={() => onClose(true)}>
            Close
          </button>
        </div>
      </div>
    </Popover>
  );
}
