import { PROPERTY_CAPACITY } from '../../domain/constants.ts';
import { paste as messages } from '../../domain/messages.ts';
import { MAX_MARKUP_CHARS, MAX_TEXT_CHARS, type Reading, readingNotation } from '../../text/convert/clip.ts';
import { inSlices } from '../../text/convert/in-slices.ts';
import type { Loss, Notation } from '../../text/convert.ts';
import { decodeText } from '../../text/decode.ts';

/** Notations by file extension; plain text is detected by content. */
const notations: Record<string, Notation | 'auto'> = {
  txt: 'auto',
  text: 'auto',
  md: 'auto',
  markdown: 'auto',
  csv: 'csv',
  tsv: 'csv',
  html: 'html',
  htm: 'html',
  json: 'json',
  org: 'org',
  taskpaper: 'taskpaper',
  enex: 'html',
  opml: 'html',
};

const notationOf = ({ name }: File): Notation | 'auto' | undefined => {
  const dot = name.lastIndexOf('.');
  const extension = name.slice(dot + 1).toLowerCase();
  return dot >= 0 && Object.hasOwn(notations, extension) ? notations[extension] : undefined;
};

/** A file's text, in any encoding of office programs; `undefined` if the file is no text. */
const textOf = async (file: File): Promise<string | undefined> =>
  decodeText(new Uint8Array(await file.arrayBuffer()))?.text;

const named = (files: readonly File[]) => files.map(({ name }) => name).join(', ');

/** The texts of files, in the order of the files, with a note for each file that has no text. Never rejects. */
export async function readFiles(files: readonly File[]): Promise<{ text: string; lost: Loss[]; notes: string[] }> {
  const texts: string[] = [];
  const lost: Loss[] = [];
  const refused: Record<'notText' | 'fileTooLarge' | 'emptyFile' | 'unreadable', File[]> = {
    notText: [],
    fileTooLarge: [],
    emptyFile: [],
    unreadable: [],
  };
  for (const file of files) {
    const notation = notationOf(file);
    if (notation === undefined) refused.notText.push(file);
    // Plain text takes at most two bytes a character; markup has more around its words.
    else if (file.size > (notation === 'html' ? MAX_MARKUP_CHARS : 2 * MAX_TEXT_CHARS)) refused.fileTooLarge.push(file);
    else {
      const text = await textOf(file).catch(() => null);
      const reading: Reading | undefined = text ? await inSlices(readingNotation(text, notation)) : undefined;
      if (text === null) refused.unreadable.push(file);
      else if (text === undefined) refused.notText.push(file);
      else if (reading?.kind === 'refused') refused.fileTooLarge.push(file);
      else if (reading?.kind !== 'lines' || reading.text === '') refused.emptyFile.push(file);
      else {
        texts.push(reading.text);
        lost.push(...reading.lost);
      }
    }
  }
  const kinds = Object.keys(refused) as (keyof typeof refused)[];
  const notes = kinds.flatMap(kind => (refused[kind].length > 0 ? [messages[kind](named(refused[kind]))] : []));
  const text = texts.join('\n');
  if (text.length <= MAX_TEXT_CHARS) return { text, lost, notes };
  return { text: '', lost: [], notes: [messages.tooMuch(text.length, PROPERTY_CAPACITY)] };
}
