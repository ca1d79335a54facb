import { unknownPerson } from '../../../domain/person.ts';
import { Avatar } from '../../kit/avatar.tsx';
import { usePerson } from '../../model/people.ts';

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
