/** Puts a text into the clipboard; answers whether that was let. Some hosts let frames copy only in the old way. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const before = document.activeElement;
  const box = document.body.appendChild(document.createElement('textarea'));
  box.value = text;
  box.className = 'check-hidden';
  box.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    box.remove();
    if (before instanceof HTMLElement) before.focus();
  }
}
