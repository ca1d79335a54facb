const ID_BYTES = 6;

/** A lasting id of a row, in the server's form: eight characters of base64url. */
export function createRowId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}
