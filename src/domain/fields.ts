/** Validation of user input: codes on the wire, messages on the screen. */
export type FieldErrorCode = 'REQUIRED' | 'TOO_SHORT' | 'TOO_LONG' | 'CHECKLIST_REQUIRED' | 'NOT_UNIQUE';

export const NAME_MIN = 3;
export const NAME_MAX = 140;

export const fieldErrors: Record<FieldErrorCode, string> = {
  CHECKLIST_REQUIRED: "Checklist can't be empty.",
  NOT_UNIQUE: 'This is already taken.',
  REQUIRED: 'This field is required.',
  TOO_LONG: `This is too long. It should be at most ${NAME_MAX} characters long.`,
  TOO_SHORT: `Please lengthen this text to ${NAME_MIN} characters or more.`,
};

/** Short forms. */
const shortFieldErrors: Partial<Record<FieldErrorCode, string>> = {
  REQUIRED: 'This is required.',
  TOO_LONG: 'Too long.',
  TOO_SHORT: 'Too short.',
};

/** The message at a field while its value is typed. Once the value is sent, the server's message: `fieldErrors`. */
export const typingError = (code: FieldErrorCode): string => shortFieldErrors[code] ?? fieldErrors[code];

/** Validates a name or another one-line text; length in characters, surrounding blanks ignored. */
export function validateName(name: string): FieldErrorCode | undefined {
  const length = Array.from(name.trim()).length;
  if (length === 0) return 'REQUIRED';
  if (length < NAME_MIN) return 'TOO_SHORT';
  if (length > NAME_MAX) return 'TOO_LONG';
  return undefined;
}
