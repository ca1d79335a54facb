import type { Checklist } from '../../../text/types.ts';
import { usePeople } from '../../model/people.ts';
import type { OpenText } from '../saving/use-saving.ts';
import { useCollaboratorCursors } from './use-collaborator-cursors.ts';
import { useCollaborators } from './use-collaborators.ts';

interface Props {
  /** What is open (`domain/subjects.ts`). */
  subjectId: string;
  /** This editor may change the text: others are told of it and of its place. */
  editing: boolean;
  document: OpenText;
  /** The text as it is stored, which all editors have in common. */
  stored(): Checklist;
}

/**
 * Who else has this open as text, and where. Their changes come in as they save; this says whom to expect. Who
 * comes and goes is read out, where they are is there to read.
 */
export function Collaborators({ subjectId, editing, document, stored }: Props) {
  const { editors, place } = useCollaborators(subjectId, editing);
  const people = usePeople(editors.map(({ account }) => account));
  const nameOf = (account: string) => people.get(account)?.name ?? 'Somebody';
  const rows = useCollaboratorCursors({ document, stored, editors, nameOf, place });
  const [first, ...more] = editors;
  const places = editors.flatMap(({ account }) => {
    const row = rows.get(account);
    if (row === undefined) return [];
    return more.length === 0 ? `at “${row}”` : `${nameOf(account)} at “${row}”`;
  });
  return (
    <span className="editor-others">
      <span role="status">
        {first === undefined
          ? null
          : more.length === 0
            ? `${nameOf(first.account)} is editing too`
            : `${nameOf(first.account)} and ${more.length} more are editing too`}
      </span>
      {places.length > 0 && <span className="editor-places">{places.join(', ')}</span>}
    </span>
  );
}
