/**
 * Copies a text to the clipboard; resolves to whether that was permitted. Tries `execCommand` first: browsers permit
 * the Clipboard API in cross-origin frames only by the embedder's permissions policy, and log an error otherwise.
 */
export async function copyText(text: string): Promise<boolean> {
  if (copySelected(text)) return true;
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function copySelected(text: string): boolean {
  const before = document.activeElement;
  const box = document.body.appendChild(document.createElement('textarea'));
  box.value = text;
  box.className = 'check-hidden';
  // Copied with its line breaks in every engine.
  box.style.whiteSpace = 'pre';
  box.select();
  // An open menu may take the focus back, and with it the selection.
  const fill = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  window.addEventListener('copy', fill, true);
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    window.removeEventListener('copy', fill, true);
    box.remove();
    if (before instanceof HTMLElement) before.focus();
  }
}

/** Downloads a text as a file. `type` is its media type, without a charset. */
export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the URL asynchronously.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
