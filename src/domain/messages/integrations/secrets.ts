/** Messages about a new secret or token, which is shown once. */

export const copyNow = "Copy it now. It isn't shown again.";
export const copied = 'Copied.';
export const notCopied = "We couldn't copy it. Select it and copy it yourself.";
