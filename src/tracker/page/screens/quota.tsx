import { useMutation, useQuery } from '@tanstack/react-query';
import type { HostQuota, LedgerLine, QuotaLimit } from '../../wire/quota.ts';
import { installedIn, useSite } from '../app/site.ts';
import { useTitle } from '../app/title.ts';
import { resetQuota } from '../data/changes.ts';
import { sumBy } from '../data/ledger.ts';
import { quotaQuery } from '../data/queries.ts';
import { Message } from '../parts/message.tsx';
import { QuotaForm } from '../parts/quota-form.tsx';
import { Answered } from '../parts/state.tsx';

/** The points spent by apps' servers, and the limit. */
export function QuotaScreen() {
  useTitle('Quota');
  const quota = useQuery(quotaQuery);
  return (
    <Answered answer={quota} missing="This page does not exist.">
      {answer => (
        <div className="page">
          <h1>Quota</h1>
          <p className="subtle">
            See the points that each app's server spends on the REST API, over all sites. When they are used up, its
            calls are refused. Calls that a page makes for a person cost nothing. A restart resets the counts.
          </p>
          <QuotaForm limit={answer.limit} />
          <Apps quota={answer} />
        </div>
      )}
    </Answered>
  );
}

function Apps({ quota: { limit, since, ends, apps, ledger } }: { quota: HostQuota }) {
  const site = useSite();
  const installed = [...installedIn(site, 'connect'), ...installedIn(site, 'forge')];
  const reset = useMutation({ mutationFn: resetQuota });
  const keys = new Set([...installed, ...apps].map(({ key }) => key));
  return (
    <>
      <div className="buttons">
        <button type="button" className="button" onClick={() => reset.mutate()}>
          Reset points
        </button>
      </div>
      {reset.error ? (
        <Message kind="error" title="We couldn't reset the points.">
          {reset.error.message}
        </Message>
      ) : null}
      {[...keys].map(key => (
        <section key={key} className="card quota-app" aria-label={nameOf(installed, key)}>
          <div className="card-head">
            <h2>{nameOf(installed, key)}</h2>
            <span className="subtle">{key}</span>
          </div>
          <Sum {...{ limit, since, ends }} spent={apps.find(app => app.key === key)?.spent ?? 0} />
          <Ledger lines={ledger.filter(({ app }) => app === key)} />
        </section>
      ))}
    </>
  );
}

const nameOf = (installed: readonly { key: string; name: string }[], key: string): string =>
  installed.find(app => app.key === key)?.name ?? key;

/** Share of the limit from which the real tracker warns an app. */
const WARNING_SHARE = 0.8;

function Sum({ limit, since, ends, spent }: Pick<HostQuota, 'limit' | 'since' | 'ends'> & { spent: number }) {
  const facts = [
    { name: `Spent since ${timeOf(since)}`, value: pointsOf(spent) },
    { name: 'Remaining', value: limit ? pointsOf(Math.max(0, limit.points - spent)) : 'No limit' },
    ...(ends === null ? [] : [{ name: 'Resets', value: timeOf(ends) }]),
  ];
  return (
    <>
      <dl className="quota-sum">
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {limit ? <Bar share={spent / limit.points} /> : null}
      {limit && ends !== null && spent >= limit.points ? <Spent limit={limit} ends={ends} /> : null}
    </>
  );
}

const Bar = ({ share }: { share: number }) => (
  <div
    className="quota-bar"
    aria-hidden="true"
    data-near={share > WARNING_SHARE || undefined}
    data-spent={share >= 1 || undefined}
  >
    <div style={{ width: `${Math.min(1, share) * 100}%` }} />
  </div>
);

const Spent = ({ limit, ends }: { limit: QuotaLimit; ends: string }) => (
  <Message kind="warning" title="The points are used up.">
    {limit.beta
      ? 'The limit is only announced, so calls still work.'
      : `All calls of the app are refused until ${timeOf(ends)}.`}
  </Message>
);

function Ledger({ lines }: { lines: readonly LedgerLine[] }) {
  const sources = new Map(lines.map(({ call, source }) => [call, source]));
  return (
    <>
      <LedgerTable title="Call" rows={sumBy(lines, ({ call }) => call)} noteOf={call => sources.get(call)} />
      <LedgerTable title="Site" rows={sumBy(lines, ({ site }) => site)} />
      <LedgerTable title="Cause" rows={sumBy(lines, ({ cause }) => cause ?? 'Not named by the app')} />
    </>
  );
}

interface LedgerTableProps {
  title: string;
  rows: ReturnType<typeof sumBy>;
  noteOf?(name: string): string | undefined;
}

function LedgerTable({ title, rows, noteOf }: LedgerTableProps) {
  if (rows.length === 0) return null;
  return (
    <table className="ledger" aria-label={`Points by ${title.toLowerCase()}`}>
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">Calls</th>
          <th scope="col">Points</th>
          <th scope="col">Refused</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, calls, points, refused }) => (
          <tr key={name}>
            <th scope="row">
              {noteOf ? <code>{name}</code> : name}
              {noteOf ? <span className="subtle"> {noteOf(name)}</span> : null}
            </th>
            <td>{count(calls)}</td>
            <td>{count(points)}</td>
            <td>{count(refused)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const count = (number: number): string => number.toLocaleString('en');
const pointsOf = (number: number): string => (number === 1 ? '1 point' : `${count(number)} points`);

/** `11:00 UTC`, with seconds if there are some. */
const timeOf = (iso: string): string => `${iso.slice(11, 19).replace(/:00$/, '')} UTC`;
