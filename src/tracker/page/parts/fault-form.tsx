import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type FaultKind, faultKinds } from '../../faults/kinds.ts';
import type { Fault } from '../../wire/faults.ts';
import { addFault } from '../data/changes.ts';
import { faultOf } from '../data/fault.ts';
import { Labelled } from './labelled.tsx';
import { Message } from './message.tsx';

const kinds: readonly FaultKind[] = Object.values(faultKinds);
const [first] = kinds;

/** Form of a fault of a known kind. */
export function FaultForm() {
  const [kind, setKind] = useState(first);
  const add = useMutation({ mutationFn: addFault });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (kind) add.mutate(faultOf(kind, new FormData(event.currentTarget)));
  };
  return (
    <form className="card padded form" aria-label="New fault" onSubmit={submit}>
      <Labelled label="What goes wrong">
        <select
          value={kind?.name}
          onChange={event => setKind(kinds.find(({ name }) => name === event.currentTarget.value))}
        >
          {kinds.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </Labelled>
      {/* A kind has its own defaults: the fields are reset. */}
      {kind ? <Terms key={kind.name} fault={kind.fault} /> : null}
      <div className="buttons">
        <button type="submit" className="button" data-primary disabled={add.isPending}>
          Add fault
        </button>
      </div>
      {add.error ? (
        <Message kind="error" title="We couldn't add the fault.">
          {add.error.message}
        </Message>
      ) : null}
    </form>
  );
}

/** Label of a fault's pattern. */
const matchLabel = (fault: Fault): string => {
  if ('webhook' in fault) return 'Pattern for event and issue';
  return 'task' in fault ? 'Pattern for method and property key' : 'Pattern for method and address';
};

function Terms({ fault }: { fault: Fault }) {
  const pause = 'lateMs' in fault ? fault.lateMs : fault.delayMs;
  return (
    <>
      <Labelled label={matchLabel(fault)}>
        <input name="match" defaultValue={fault.match} required spellCheck={false} className="code" />
      </Labelled>
      {pause !== undefined && (
        <Labelled label="Delay in milliseconds">
          <input name="pause" type="number" min={0} max={600_000} defaultValue={pause} required />
        </Labelled>
      )}
      <Labelled label="Chance in %">
        <input name="percent" type="number" min={0} max={100} step="any" defaultValue={100} required />
      </Labelled>
      <Labelled label="Ends after this many faults">
        <input name="times" type="number" min={1} placeholder="never" />
      </Labelled>
      <Labelled label="Ends after this many seconds">
        <input
          name="seconds"
          type="number"
          min={1}
          placeholder="never"
          defaultValue={fault.forMs === undefined ? '' : fault.forMs / 1000}
        />
      </Labelled>
    </>
  );
}
