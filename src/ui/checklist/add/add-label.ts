import type { Row } from '../../../text/types.ts';

/** The name of the input for new items below a row. */
export const addLabel = ({ words }: Pick<Row, 'words'>): string => `New item below ${words}`.trim();

/** The key of the draft of the input with that name. */
export const addDraft = (label: string): string => `add: ${label}`;
