import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { HostGadget } from '../../wire/gadgets.ts';
import { useFramework } from '../app/frames.ts';
import { useSite } from '../app/site.ts';
import { useTitle } from '../app/title.ts';
import { editConnectGadget, onSubmitted, refreshGadget } from '../bridge/gadgets.ts';
import { addGadget, removeGadget } from '../data/changes.ts';
import { gadgetsQuery } from '../data/queries.ts';
import { Frame } from '../parts/frame.tsx';
import { AddonTrouble, idOf, Modules } from '../parts/modules.tsx';
import { Answered, Missing } from '../parts/state.tsx';

/** The visitor's dashboard with the apps' gadgets. */
export function Dashboard() {
  const { user } = useSite();
  const framework = useFramework();
  const gadgets = useQuery(gadgetsQuery(user.accountId));
  useTitle('Dashboard');
  return (
    <Answered answer={gadgets} missing="This dashboard does not exist.">
      {all => (
        <div className="page wide">
          <h1>Dashboard</h1>
          <AddonTrouble />
          <Modules place="gadget" about={nothing} quiet>
            {modules => (
              <div className="buttons">
                {modules.map(({ addonKey, key, name, ...module }) => (
                  <button
                    key={idOf({ addonKey, key, name, ...module })}
                    type="button"
                    className="button"
                    onClick={() => void addGadget({ framework, addonKey, moduleKey: key })}
                  >
                    Add gadget: {name}
                  </button>
                ))}
              </div>
            )}
          </Modules>
          <div className="gadgets">
            {all
              .filter(gadget => gadget.framework === framework)
              .map(gadget => (
                <GadgetCard key={gadget.id} gadget={gadget} />
              ))}
          </div>
        </div>
      )}
    </Answered>
  );
}

const nothing = {};

function GadgetCard({ gadget: { id, framework, addonKey, moduleKey } }: { gadget: HostGadget }) {
  // Each saved configuration is a new frame.
  const [saved, setSaved] = useState(0);
  const [isEdit, setEdit] = useState(false);
  const remove = useMutation({ mutationFn: () => removeGadget(id) });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another configuration is another address.
  const about = useMemo(() => ({ gadget: id, addonKey }), [id, addonKey, saved]);
  useEffect(
    () =>
      onSubmitted(gadget => {
        if (gadget !== id) return;
        setSaved(now => now + 1);
        setEdit(false);
      }),
    [id],
  );
  const place = isEdit ? 'gadget-edit' : 'gadget';
  return (
    <section className="card padded gadget-card" aria-label={`Gadget ${id}`}>
      <Modules key={`${place} ${saved}`} place={place} about={about} moduleKey={moduleKey}>
        {([module], retry) =>
          module ? (
            <>
              <div className="gadget-head">
                <h2>{module.name}</h2>
                <button type="button" className="button" onClick={() => refreshGadget(id, addonKey)}>
                  Refresh
                </button>
                <button
                  type="button"
                  className="button"
                  onClick={() => (framework === 'forge' ? setEdit(!isEdit) : editConnectGadget(id, addonKey))}
                >
                  Configure
                </button>
                <button type="button" className="button" disabled={remove.isPending} onClick={() => remove.mutate()}>
                  Remove
                </button>
              </div>
              <Frame module={module} place={place} about={about} retry={retry} />
            </>
          ) : (
            <Missing />
          )
        }
      </Modules>
    </section>
  );
}
