/** Tags by which a page or an office program says more than its plain text does. */
const structured = /<(li|tr|h[1-6]|input)\b/i;

/**
 * What is pasted from elsewhere, as checklist text. What turns it into that comes late; where it does not come, the lines
 * are taken as they are.
 */
export async function pastedText(plain: string, html: string): Promise<string> {
  try {
    const { convert } = await import('../../../text/convert.ts');
    const { text } = structured.test(html) ? convert(html, 'html') : convert(plain, 'auto');
    return text.trim() === '' ? plain : text;
  } catch {
    return plain;
  }
}
