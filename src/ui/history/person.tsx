import { unknownPerson } from '../../domain/person.ts';
import { usePerson } from '../checklist/people.ts';
import { Avatar } from '../parts/avatar.tsx';

/** Somebody by name, once the tracker has said it. */
export function PersonName({ accountId }: { accountId: string }) {
  const person = usePerson(accountId);
  return person === undefined && accountId !== '' ? '…' : (person?.name ?? unknownPerson);
}

/** The name behind the picture. */
export const Person = ({ accountId }: { accountId: string }) => {
  const person = usePerson(accountId);
  return (
    <>
      <Avatar picture={person?.avatar} name={person?.name} />
      <PersonName accountId={accountId} />
    </>
  );
};
