import { type Fields, fieldsOf, isFields } from './fields.ts';

/** Whether an object is an export of a Trello board. */
export const isBoard = (value: unknown): value is Fields =>
  isFields(value) && Array.isArray(value.cards) && Array.isArray(value.lists);

/** Closed lists and cards are archived there. */
const withArchived = ({ closed, ...fields }: Fields): Fields => ({ ...fields, isArchived: closed });

/** A comment as its card holds it. Other actions are the board's history. */
function commentOf(action: Fields): Fields | undefined {
  const { data, memberCreator } = action;
  const card = isFields(data) ? data.card : undefined;
  if (action.type !== 'commentCard' || !isFields(data) || !isFields(card)) return undefined;
  return { cardId: card.id, text: data.text, author: memberCreator };
}

/** Trello's board with what its cards refer to: members by their names, and comments from the board's actions. */
export function boardOf(board: Fields): Fields {
  const { actions, members, closed, ...rest } = board;
  const nameOf = new Map(fieldsOf(members).map(member => [member.id, member.fullName ?? member.username]));
  const cards = fieldsOf(board.cards).map(card => {
    const { idMembers, idLabels, ...fields } = withArchived(card);
    const ids: readonly unknown[] = Array.isArray(idMembers) ? idMembers : [];
    const isNamed = Array.isArray(fields.labels) && fields.labels.length > 0;
    return { ...fields, members: ids.map(id => nameOf.get(id) ?? id), ...(!isNamed && { idLabels }) };
  });
  const done = fieldsOf(actions);
  return {
    ...rest,
    // Trello writes newer comments first.
    comments: done.flatMap(action => commentOf(action) ?? []).reverse(),
    actions: done.filter(action => !commentOf(action)),
    boardMembers: members,
    lists: fieldsOf(board.lists).map(withArchived),
    cards,
  };
}
