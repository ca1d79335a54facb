import { useMutation, useQuery } from '@tanstack/react-query';
import type { HostFault } from '../../wire/faults.ts';
import { useTitle } from '../app/title.ts';
import { endFault } from '../data/changes.ts';
import { faultsQuery } from '../data/queries.ts';
import { FaultForm } from '../parts/fault-form.tsx';
import { Message } from '../parts/message.tsx';
import { Answered } from '../parts/state.tsx';

/** Fault injection. */
export function FaultsScreen() {
  useTitle('Faults');
  const faults = useQuery(faultsQuery);
  return (
    <Answered answer={faults} missing="This page does not exist.">
      {list => (
        <div className="page">
          <h1>Faults</h1>
          <p className="subtle">
            Make the REST API and the webhooks of this tracker fail, as those of a real one can, to see what the app
            does. A restart removes all faults.
          </p>
          <FaultForm />
          <FaultList faults={list} />
        </div>
      )}
    </Answered>
  );
}

function FaultList({ faults }: { faults: readonly HostFault[] }) {
  const end = useMutation({ mutationFn: (id: string | undefined) => endFault(id) });
  return (
    <section className="card" aria-label="Active faults">
      <div className="card-head">
        <h2>Active faults</h2>
        {faults.length > 0 && (
          <button type="button" className="link-button card-action" onClick={() => end.mutate(undefined)}>
            Remove all
          </button>
        )}
      </div>
      {end.error ? (
        <Message kind="error" title="We couldn't remove the fault.">
          {end.error.message}
        </Message>
      ) : null}
      {faults.length === 0 ? (
        <p className="faults-none subtle">No active faults. Add one to see what the app does.</p>
      ) : (
        <ul className="faults">
          {faults.map(fault => (
            <li key={fault.id}>
              <div className="fault-text">
                <span className="fault-name">{nameOf(fault)}</span>
                <span className="subtle">
                  <code>{fault.match}</code> · {termsOf(fault)}
                </span>
              </div>
              <span className="lozenge">{fault.struck === 1 ? 'used once' : `used ${fault.struck} times`}</span>
              <button
                type="button"
                className="button"
                aria-label={`Remove ${nameOf(fault)}`}
                onClick={() => end.mutate(fault.id)}
              >
                Remove
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const nameOf = (fault: HostFault): string => fault.name ?? 'Fault added by a program';

/** When a fault strikes and ends, as text. */
function termsOf({ chance = 1, times, forMs }: HostFault): string {
  const how = chance === 1 ? 'always' : `${Math.round(chance * 1000) / 10} % of calls`;
  const ends = [
    ...(times === undefined ? [] : [times === 1 ? 'once' : `${times} times`]),
    ...(forMs === undefined ? [] : [`for ${forMs / 1000} s`]),
  ];
  return [how, ...ends].join(', ');
}
