import { unknownPerson } from '../../../domain/person.ts';
import { Avatar } from '../../kit/avatar.tsx';
import { usePerson } from '../../model/people.ts';

/** A person's name; an ellipsis while loading. */
export function PersonName({ accountId }: { accountId: string }) {
  const person = usePerson(accountId);
  return person === undefined && accountId !== '' ? '…' : (person?.name ?? unknownPerson);
}

/** A person's avatar and name. */
export const Person = ({ accountId }: { accountId: string }) => {
  const person = usePerson(accountId);
  return (
    <>
      <Avatar picture={person?.avatar} name={person?.name} />
      <PersonName accountId={accountId} />
    </>
  );
};
