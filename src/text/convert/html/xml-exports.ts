import { dayOfStamp } from '../table/cell-words.ts';

/*
 * Exports in XML as markup that the reader of pages understands: Evernote's notes, whose pages stand in CDATA sections,
 * and the head of outlines (OPML). Data about the export becomes parameters, which are reported.
 */

const lineBreaks = (text: string) => text.replace(/[^\n]+/g, '');

const textOf = (xml: string, name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]?.trim() ?? '';

/** Elements that hold nothing but text, as parameters; titles as headers. */
const withParameters = (xml: string): string =>
  xml.replace(/<([A-Za-z][\w-]*)(?:\s[^<>]*)?>([^<]*)<\/\1>/g, (found, name: string, value: string) => {
    if (value.trim() === '') return lineBreaks(found);
    return name === 'title'
      ? `<h1>${value}</h1>`
      : `<ac:parameter>${name}: ${value.trim()}</ac:parameter>${lineBreaks(found)}`;
  });

/** Evernote keeps tasks beside the page of their note. */
const taskOf = (xml: string): string => {
  const state = textOf(xml, 'taskStatus') === 'completed' ? 'DONE' : 'TODO';
  const due = dayOfStamp(textOf(xml, 'dueDate')) ?? '';
  const remainingXml = xml.replace(/<(title|taskStatus)>[^<]*<\/\1>/g, '');
  return `<ul><li data-task-state="${state}">${textOf(xml, 'title')} ${due}</li></ul>${withParameters(remainingXml)}`;
};

const attachmentOf = (xml: string): string => {
  const name = textOf(xml, 'file-name') || textOf(xml, 'mime');
  return `<img alt="${name.replace(/"/g, '&quot;')}">${lineBreaks(xml)}`;
};

/** Notes of Evernote: pages are between the marks of CDATA, which are at the odd places. */
function notesOf(xml: string): string {
  const parts = xml.split(/<!\[CDATA\[|\]\]>/);
  const about = (part: string) =>
    withParameters(
      part
        .replace(/<resource>(?:(?!<resource>)[\s\S])*?<\/resource>/g, attachmentOf)
        .replace(/<task>(?:(?!<task>)[\s\S])*?<\/task>/g, taskOf),
    );
  return parts.map((part, i) => (i % 2 === 0 ? about(part) : part.replace(/<[?!][^<>]*>/g, lineBreaks))).join('');
}

/** An export in XML as markup; any other text as it is. */
export function markupOfXml(text: string): string {
  const start = text.slice(0, 1000);
  if (/<en-export\b/.test(start)) return notesOf(text);
  if (!/<opml\b/.test(start)) return text;
  return text.replace(/<head>((?:(?!<head>)[\s\S])*?)<\/head>/, (_, head: string) => withParameters(head));
}
