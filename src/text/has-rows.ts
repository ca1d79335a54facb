/** Whether a text has rows, which each line is that is not blank. Does not read them. */
export const hasRows = (text: string): boolean => /[^ \t\r\n]/.test(text);
