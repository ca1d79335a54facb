/**
 * Puts a text into the clipboard; answers whether that was let. In the old way first: browsers let frames of others use
 * the new one only where the page around says so, and complain on the console where it does not.
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
