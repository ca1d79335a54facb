/** Hands a text over as a file. `type` is its media type, without a charset. */
export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it when it gets to it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
