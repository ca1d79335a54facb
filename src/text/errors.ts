import { fieldErrors } from '../domain/fields.ts';
import { storage } from '../domain/messages.ts';

/** The row that an edit meant is not there any more, or not to be told from others. */
export class ChangedMeanwhile extends Error {
  readonly code = 'CHANGED_MEANWHILE';
  override readonly name = 'ChangedMeanwhile';

  constructor() {
    super(storage.changedMeanwhile);
  }
}

/** Nothing is left of what was entered as items or as an item's text. */
export class ItemsRequired extends Error {
  readonly code = 'REQUIRED';
  override readonly name = 'ItemsRequired';

  constructor() {
    super(fieldErrors.REQUIRED);
  }
}

const refusals = {
  NOT_AN_ITEM: 'A header has no status.',
  UNKNOWN_STATUS: 'This status does not exist.',
  AMBIGUOUS_TEXT: 'The text would be read as a status or as mandatory. Change the text first.',
} as const;

/** An edit whose result the language cannot say, or that does not fit the row. */
export class EditRefused extends Error {
  readonly code: keyof typeof refusals;
  override readonly name = 'EditRefused';

  constructor(code: keyof typeof refusals) {
    super(refusals[code]);
    this.code = code;
  }
}
