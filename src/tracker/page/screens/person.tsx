import { useSite } from '../app/site.ts';
import { useTitle } from '../app/title.ts';
import { Avatar } from '../parts/issue.tsx';
import { Missing } from '../parts/state.tsx';

/** A person's profile. */
export function PersonScreen({ accountId }: { accountId: string }) {
  const { users } = useSite();
  const person = users.find(user => user.accountId === accountId);
  useTitle(person?.displayName ?? 'People');
  if (!person) return <Missing title="This person does not exist." />;
  return (
    <div className="page">
      <section className="card padded profile" aria-label={person.displayName}>
        <Avatar user={person} size={72} />
        <div>
          <h1>{person.displayName}</h1>
          <p className="subtle">{person.role}</p>
        </div>
      </section>
    </div>
  );
}
