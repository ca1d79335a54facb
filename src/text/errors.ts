import { fieldErrors } from '../domain/fields.ts';
import { storage } from '../domain/messages.ts';

/** The edited row is gone, or not unique. */
export class ChangedMeanwhile extends Error {
  readonly code = 'CHANGED_MEANWHILE';
  override readonly name = 'ChangedMeanwhile';

  constructor() {
    super(storage.changedMeanwhile);
  }
}

/** The text entered as items, or as an item's text, is empty after cleaning. */
export class ItemsRequired extends Error {
  readonly code = 'REQUIRED';
  override readonly name = 'ItemsRequired';

  constructor() {
    super(fieldErrors.REQUIRED);
  }
}

/**
 * Why an edit is refused. Messages are declared where they are thrown, so that a bundle has only those of its edits.
 */
export type EditRefusal =
  | 'NOT_AN_ITEM'
  | 'NOT_A_HEADER'
  | 'UNKNOWN_STATUS'
  | 'UNWRITABLE_STATUS'
  | 'INVALID_PERSON'
  | 'INVALID_DAY'
  | 'INVALID_GATE'
  | 'NAME_REQUIRED'
  | 'NOTHING_ABOVE'
  | 'NO_DETAIL'
  | 'UNFORMATTABLE'
  | 'AMBIGUOUS_TEXT';

/** An edit whose result the language cannot say, or that does not fit the row. */
export class EditRefused extends Error {
  readonly code: EditRefusal;
  override readonly name = 'EditRefused';

  constructor(code: EditRefusal, message: string) {
    super(message);
    this.code = code;
  }
}

/** The row's new text would be read as something else. */
export const ambiguousText = (): EditRefused =>
  new EditRefused(
    'AMBIGUOUS_TEXT',
    'The text would be read as something else, such as a status. Change the text first.',
  );

/** Two changes of one text overlap, or one is outside of it. */
export class ChangesOverlap extends Error {
  readonly code = 'CHANGES_OVERLAP';
  override readonly name = 'ChangesOverlap';

  constructor() {
    super('Two changes of the same characters cannot both be made.');
  }
}
