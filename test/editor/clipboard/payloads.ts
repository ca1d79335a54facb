/*
 * What programs put on the clipboard when a list is copied, as `text/html` and `text/plain`; shortened where it repeats.
 */

export interface Payload {
  html: string;
  text: string;
}

/** Word for Windows: list paragraphs with their bullets in conditional comments, two levels, a check box control. */
export const word: Payload = {
  html: `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"
xmlns:w="urn:schemas-microsoft-com:office:word" xmlns="http://www.w3.org/TR/REC-html40">
<head><meta http-equiv=Content-Type content="text/html; charset=utf-8"><meta name=Generator content="Microsoft Word 15">
<link rel=File-List href="file:///C:/Users/ann/AppData/Local/Temp/msohtmlclip1/01/clip_filelist.xml">
<!--[if gte mso 9]><xml><o:OfficeDocumentSettings><o:AllowPNG/></o:OfficeDocumentSettings></xml><![endif]-->
<!--[if gte mso 9]><xml><w:WordDocument><w:TrackMoves>false</w:TrackMoves></w:WordDocument></xml><![endif]-->
<style><!-- /* List Definitions */ @list l0 {mso-list-id:1136024937;} @list l0:level1 {mso-level-number-format:bullet; mso-level-text:;} --></style>
<!--[if gte mso 10]><style>table.MsoNormalTable {mso-style-name:"Table Normal";}</style><![endif]--></head>
<body lang=EN-US style='tab-interval:36.0pt;word-wrap:break-word'><!--StartFragment-->
<h2>Release plan<o:p></o:p></h2>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span lang=EN-US style='font-family:Symbol;mso-fareast-font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]><span lang=EN-US>Freeze the <b style='mso-bidi-font-weight:normal'>main</b> branch<o:p></o:p></span></p>
<p class=MsoListParagraphCxSpMiddle style='margin-left:72.0pt;mso-add-space:auto;text-indent:-18.0pt;mso-list:l0 level2 lfo1'><![if !supportLists]><span lang=EN-US style='font-family:"Courier New"'><span style='mso-list:Ignore'>o<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]><span lang=EN-US>Tell the team<o:p></o:p></span></p>
<p class=MsoListParagraphCxSpLast style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span lang=EN-US style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]><span lang=EN-US>See <a href="https://example.com/a%20b">the notes</a><o:p></o:p></span></p>
<p class=MsoNormal><w:Sdt CheckBox="t" CheckBoxIsChecked="t" CheckBoxValueChecked="&#9746;"><span style='font-family:"MS Gothic"'>&#9746;</span></w:Sdt><span lang=EN-US> Approved<o:p></o:p></span></p>
<p class=MsoNormal><w:Sdt CheckBox="t" CheckBoxIsChecked="f"><span style='font-family:"MS Gothic"'>&#9744;</span></w:Sdt><span lang=EN-US> Published<o:p></o:p></span></p>
<!--EndFragment--></body></html>`,
  text: 'Release plan\r\n·\tFreeze the main branch\r\no\tTell the team\r\n·\tSee the notes\r\n☒ Approved\r\n☐ Published\r\n',
};

/** Google Docs: a checklist, one box ticked, and a bullet list below it, all within a bold that is none. */
export const googleDocs: Payload = {
  html: `<meta charset='utf-8'><meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-5d0a4b1e-7fff-2c1d-8a0f-6d3d5b1c9e7a"><ul style="margin-top:0;margin-bottom:0;padding-inline-start:28px;"><li dir="ltr" role="checkbox" aria-checked="false" style="list-style-type:none;font-size:11pt;font-family:Arial,sans-serif;color:#000000;background-color:transparent;font-weight:400;font-style:normal;font-variant:normal;text-decoration:none;vertical-align:baseline;white-space:pre;margin-left:-18pt;" aria-level="1"><img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAADAAAAAwCAYAAABXAvmH" width="17.599999999999998px" height="17.599999999999998px" alt="unchecked" aria-roledescription="unchecked checkbox" style="margin-right:3px;" /><p dir="ltr" style="line-height:1.38;margin-top:0pt;margin-bottom:0pt;display:inline-block;vertical-align:top;margin-top:0;" role="presentation"><span style="font-size:11pt;font-family:Arial,sans-serif;color:#000000;background-color:transparent;font-weight:400;font-style:normal;font-variant:normal;text-decoration:none;vertical-align:baseline;white-space:pre;white-space:pre-wrap;">Write the </span><span style="font-size:11pt;font-family:Arial,sans-serif;font-weight:700;font-style:normal;white-space:pre-wrap;">changelog</span></p></li><li dir="ltr" role="checkbox" aria-checked="true" style="list-style-type:none;font-weight:400;text-decoration:none;white-space:pre;" aria-level="1"><img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAADAAAAAwCAYAAABXAvmH" alt="checked" aria-roledescription="checked checkbox" /><p dir="ltr" style="display:inline-block;" role="presentation"><span style="font-size:11pt;font-family:Arial,sans-serif;color:#9aa0a6;font-weight:400;text-decoration:line-through;-webkit-text-decoration-skip:none;white-space:pre-wrap;">Tag the build</span></p></li></ul><br /><ul style="margin-top:0;margin-bottom:0;padding-inline-start:48px;"><li dir="ltr" style="list-style-type:disc;font-weight:400;" aria-level="1"><p dir="ltr" role="presentation"><a href="https://example.com/plan" style="text-decoration:none;"><span style="color:#1155cc;font-weight:400;text-decoration:underline;">Plan</span></a></p></li></ul></b><br class="Apple-interchange-newline">`,
  text: 'Write the changelog\nTag the build\n\nPlan',
};

/** Excel: cells under names that we know, one that we do not. */
export const excel: Payload = {
  html: `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel" xmlns="http://www.w3.org/TR/REC-html40">
<head><meta http-equiv=Content-Type content="text/html; charset=utf-8"><meta name=ProgId content=Excel.Sheet><meta name=Generator content="Microsoft Excel 15">
<style><!--table {mso-displayed-decimal-separator:"\\."; mso-displayed-thousand-separator:"\\,";} .xl63 {font-weight:700;} --></style></head>
<body link="#0563C1" vlink="#954F72">
<table border=0 cellpadding=0 cellspacing=0 width=256 style='border-collapse:collapse;width:192pt'><!--StartFragment-->
 <col width=64 span=4 style='width:48pt'>
 <tr height=20 style='height:15.0pt'><td height=20 class=xl63 width=64>Task</td><td class=xl63 width=64>Done</td><td class=xl63>Due date</td><td class=xl63>Cost</td></tr>
 <tr height=20><td height=20>Order chairs</td><td align=center>TRUE</td><td class=xl64 align=right>2026-12-01</td><td align=right x:num>120</td></tr>
 <tr height=20><td height=20>Paint &lt;walls&gt;</td><td align=center>FALSE</td><td></td><td></td></tr>
<!--EndFragment--></table></body></html>`,
  text: 'Task\tDone\tDue date\tCost\r\nOrder chairs\tTRUE\t2026-12-01\t120\r\nPaint <walls>\tFALSE\t\t\r\n',
};

/** Excel: one cell. */
export const excelCell: Payload = {
  html: `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><meta name=ProgId content=Excel.Sheet></head><body><table border=0 cellpadding=0 cellspacing=0><!--StartFragment--><col width=64><tr height=20><td height=20 width=64>Order chairs</td></tr><!--EndFragment--></table></body></html>`,
  text: 'Order chairs\r\n',
};

/** Google Sheets: cells without names. */
export const googleSheets: Payload = {
  html: `<meta charset='utf-8'><google-sheets-html-origin><style type="text/css"><!--td {border: 1px solid #cccccc;}br {mso-data-placement:same-cell;}--></style><table xmlns="http://www.w3.org/1999/xhtml" cellspacing="0" cellpadding="0" dir="ltr" border="1" data-sheets-root="1"><colgroup><col width="100"/><col width="100"/></colgroup><tbody><tr style="height:21px;"><td data-sheets-value="{&quot;1&quot;:4,&quot;4&quot;:1}">TRUE</td><td data-sheets-value="{&quot;1&quot;:2}">Milk</td></tr><tr style="height:21px;"><td>FALSE</td><td>Bread</td></tr></tbody></table>`,
  text: 'TRUE\tMilk\nFALSE\tBread',
};

/** Notion: to-dos as a list with boxes in brackets, and a toggle's heading. */
export const notion: Payload = {
  html: `<meta charset='utf-8'><!-- notionvc: 2b6c3d5e-13a5-4f2b-9a1e-6f9f0d1a4c77 --><h2>Launch</h2>
<ul>
<li>[ ]  Draft the <strong>announcement</strong></li>
<li>[x]  Book a date
    <ul>
    <li>[ ]  Ask <code>ops</code></li>
    </ul>
</li>
</ul>
`,
  text: '## Launch\n\n- [ ]  Draft the **announcement**\n- [x]  Book a date\n    - [ ]  Ask `ops`',
};

/** Notion, older: to-dos as its exported pages have them. */
export const notionExport: Payload = {
  html: `<meta charset='utf-8'><ul id="a1" class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span class="to-do-children-checked">Book a date</span><div class="indented"></div></li></ul><ul id="a2" class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span class="to-do-children-unchecked">Draft it</span></li></ul>`,
  text: 'Book a date\nDraft it',
};

/** GitHub: a task list of a rendered issue. */
export const github: Payload = {
  html: `<meta charset='utf-8'><h2 dir="auto" style="box-sizing: border-box; font-weight: 600;">Todo</h2><ul class="contains-task-list" style="box-sizing: border-box; padding: 0px; margin-top: 0px; position: relative; color: rgb(31, 35, 40); font-family: -apple-system, &quot;Segoe UI&quot;, sans-serif; white-space: normal;"><li class="task-list-item enabled" style="box-sizing: border-box; display: block; list-style-type: none;"><div class="show-cursor" style="cursor: move;"><svg aria-hidden="true" width="16" height="16" class="drag-handle"><path d="M10 13"></path></svg></div><input type="checkbox" id="" disabled="" class="task-list-item-checkbox" aria-label="Incomplete task" style="box-sizing: border-box;"><span> </span>Use<span> </span><code class="notranslate" style="font-family: ui-monospace, Menlo;">parse()</code><span> </span>in<span> </span><a class="issue-link js-issue-link" href="https://github.com/acme/app/issues/12" style="color: rgb(9, 105, 218);">#12</a></li><li class="task-list-item enabled" style="display: block;"><input type="checkbox" disabled="" class="task-list-item-checkbox" aria-label="Completed task" checked=""><span> </span>Ship <g-emoji class="g-emoji" alias="tada">🎉</g-emoji></li></ul>`,
  text: 'Todo\nUse parse() in #12\n Ship 🎉',
};

/** GitHub's editor, or any file: the Markdown itself. */
export const markdown: Payload = { html: '', text: '## Todo\n\n* [ ] Use `parse()`\n* [x] Ship\n' };

/** Jira: an action list and a bullet list of a description, as its renderer draws them. */
export const jira: Payload = {
  html: `<meta charset='utf-8'><div data-node-type="actionList" data-task-list-local-id="7c9f" style="list-style-type: none;"><div data-task-local-id="0a1b" data-task-state="DONE"><div data-component="task-item-main"><span contenteditable="false"><input id="0a1b-1" aria-labelledby="0a1b-1-wrapper" name="0a1b-1" type="checkbox" checked=""></span><div data-component="content">Reproduce it</div></div></div><div data-task-local-id="2c3d" data-task-state="TODO"><div data-component="task-item-main"><span contenteditable="false"><input type="checkbox" id="2c3d-1"></span><div data-component="content">Ask <span data-mention-id="557058:0a1b-22" data-access-level="" spellcheck="false">@Ann Lee</span> by <span data-node-type="date" data-timestamp="1796083200000">1 Dec 2026</span></div></div></div></div><ul class="ak-ul" data-indent-level="1"><li><p data-renderer-start-pos="3">Fix <a href="https://site.example/browse/WEB-2" data-card-url="https://site.example/browse/WEB-2">WEB-2</a></p></li></ul>`,
  text: 'Reproduce it\nAsk @Ann Lee by 1 Dec 2026\nFix WEB-2',
};

/** Jira and Confluence editors: the document's own markup around a slice of it. */
export const confluenceEditor: Payload = {
  html: `<meta charset='utf-8'><h3 data-local-id="h" data-pm-slice="1 1 []">Actions</h3><div data-node-type="actionList" data-task-list-local-id="5f" style="list-style: none; padding-left: 0"><div data-task-local-id="5f-1" data-task-state="TODO">Write the report <span data-node-type="date" data-timestamp="1796083200000"></span></div><div data-task-local-id="5f-2" data-task-state="DONE">Send <strong>it</strong></div></div><p data-local-id="p">Then rest.</p>`,
  text: 'Actions\n\nWrite the report\n\nSend it\n\nThen rest.',
};

/** Confluence: a page as it is shown, tasks with a person and a day. */
export const confluence: Payload = {
  html: `<meta charset='utf-8'><ul class="inline-task-list" data-inline-tasks-content-id="98310"><li data-inline-task-id="1"><span class="placeholder-inline-tasks"><a class="confluence-userlink user-mention" data-account-id="557058:0a1b-22" href="https://site.example/wiki/people/557058:0a1b-22">Ann Lee</a> orders cake <time datetime="2026-12-01" class="date-upcoming">01 Dec 2026</time></span></li><li class="checked" data-inline-task-id="2"><span>Clean up</span></li></ul>`,
  text: 'Ann Lee orders cake 01 Dec 2026\nClean up',
};

/** Outlook for Windows: paragraphs of Word, no list, bullets typed by hand. */
export const outlook: Payload = {
  html: `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word"><head><meta name=Generator content="Microsoft Word 15"><style><!-- p.MsoNormal {margin:0cm;font-size:11.0pt;} --></style></head><body lang=EN-GB><!--StartFragment--><p class=MsoNormal><b>Before Friday:</b><o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><ul style='margin-top:0cm' type=disc><li class=MsoListParagraph style='margin-left:0cm;mso-list:l0 level1 lfo1'>Pay the <a href="https://pay.example/7">bill</a><o:p></o:p></li><li class=MsoListParagraph style='margin-left:0cm;mso-list:l0 level1 lfo1'>Call Bob<o:p></o:p></li></ul><!--EndFragment--></body></html>`,
  text: 'Before Friday:\r\n\r\n•\tPay the bill\r\n•\tCall Bob\r\n',
};

/** Outlook on the web: every line a div, marks typed by hand. */
export const outlookWeb: Payload = {
  html: `<meta charset='utf-8'><div class="elementToProof" style="font-family: Aptos, sans-serif; font-size: 12pt; color: rgb(0, 0, 0);">1. Pay the bill</div><div class="elementToProof" style="font-family: Aptos;">2. Call <b>Bob</b></div><div class="elementToProof"><br></div><div class="elementToProof">Thanks!</div>`,
  text: '1. Pay the bill\n2. Call Bob\n\nThanks!',
};

/** Gmail: divs and a real list. */
export const gmail: Payload = {
  html: `<meta charset='utf-8'><div style="color: rgb(34, 34, 34); font-family: Arial, Helvetica, sans-serif; font-size: small; white-space: normal;">Hi, please:</div><ul style="font-family: Arial;"><li style="margin-left: 15px;">buy stamps</li><li style="margin-left: 15px;">pay <i>rent</i></li></ul><div><br></div><img src="https://mail.google.com/mail/u/0/images/cleardot.gif" width="1" height="1">`,
  text: 'Hi, please:\n\n   - buy stamps\n   - pay rent\n',
};

/** A browser: a sentence with a link out of a page. */
export const sentence: Payload = {
  html: `<meta charset='utf-8'><span style="color: rgb(0, 0, 0); font-family: serif; white-space: normal; display: inline !important; float: none;">see<span> </span></span><a href="https://example.com/guide">the guide</a>`,
  text: 'see the guide',
};

/** Visual Studio Code: lines of code with their colours. */
export const code: Payload = {
  html: `<meta charset='utf-8'><div style="color: #3b3b3b;background-color: #ffffff;font-family: 'Droid Sans Mono', 'monospace', monospace;font-weight: normal;font-size: 14px;line-height: 19px;white-space: pre;"><div><span style="color: #0000ff;font-weight: bold;">const</span><span> a = 1;</span></div></div>`,
  text: 'const a = 1;',
};
