/*
 * What programs put on the clipboard as `text/html`, shortened where it repeats.
 */

export const word = `Version:1.0
StartHTML:0000000105
EndHTML:0000002105
StartFragment:0000000141
EndFragment:0000002069
<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word">
<head><meta name=ProgId content=Word.Document><title>Launch</title>
<!--[if gte mso 9]><xml><w:WordDocument><w:View>Normal</w:View></w:WordDocument></xml><![endif]-->
<style><!-- p.MsoNormal {margin:0cm;} @list l0:level1 {mso-level-text:\\F0B7;} --></style></head>
<body lang=EN-US style='tab-interval:36.0pt'>
<!--StartFragment-->
<h1><b><span lang=EN-US>Launch plan<o:p></o:p></span></b></h1>
<p class=MsoNormal><span lang=EN-US>Please <b style='mso-bidi-font-weight:normal'>check</b>
each step.<o:p></o:p></span></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span
style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;
</span></span></span><![endif]><span lang=EN-US>Book the room<o:p></o:p></span></p>
<p class=MsoListParagraphCxSpMiddle style='margin-left:72.0pt;text-indent:-18.0pt;mso-list:l0 level2 lfo1'><![if !supportLists]><span
style='font-family:"Courier New"'><span style='mso-list:Ignore'>o<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;
</span></span></span><![endif]>Ask &#8220;Ann&#8221; about <i>food</i><o:p></o:p></p>
<p class=MsoNormal><span style='font-family:"MS Gothic"'>☒</span> Send invitations<o:p></o:p></p>
<!--EndFragment-->
</body></html>`;

export const excel = `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><meta name=ProgId content=Excel.Sheet>
<style><!--table {mso-displayed-decimal-separator:"\\.";} .xl65 {font-weight:700;}--></style></head>
<body link="#0563C1"><table border=0 cellpadding=0 cellspacing=0 width=192>
<!--StartFragment--><col width=64 span=3>
<tr height=20><td class=xl65 style='font-weight:700'>Task</td><td class=xl65>Status</td><td class=xl65>Due date</td></tr>
<tr height=20><td>Order paper</td><td>Done</td><td align=right>2026-11-20</td></tr>
<tr height=20><td>Fix
  A &amp; B</td><td>Open</td><td></td></tr>
<!--EndFragment--></table></body></html>`;

export const googleDocs = `<meta charset='utf-8'><meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1b2c"><h2 dir="ltr" style="line-height:1.38;"><span style="font-size:16pt;font-weight:400;font-style:normal;text-decoration:none;">Groceries</span></h2><ul style="margin-top:0;margin-bottom:0;padding-inline-start:28px;"><li dir="ltr" role="checkbox" aria-checked="false" style="list-style-type:none;font-weight:400;" aria-level="1"><img src="data:image/png;base64,iVBORw0KGgo=" width="17.6px" height="17.6px" alt="unchecked" aria-roledescription="unchecked checkbox" style="margin-right:3px;" /><p dir="ltr" style="display:inline-block;vertical-align:top;" role="presentation"><span style="font-weight:400;">Milk </span><span style="font-weight:700;">now</span></p></li><li dir="ltr" role="checkbox" aria-checked="true" style="list-style-type:none;" aria-level="1"><img src="data:image/png;base64,iVBORw0KGgo=" alt="checked" aria-roledescription="checked checkbox" /><p dir="ltr" style="display:inline-block;"><span style="font-weight:400;text-decoration:line-through;">Bread</span></p></li><ul><li dir="ltr" aria-level="2"><p dir="ltr" role="presentation"><span style="font-weight:400;">Inner step</span></p></li></ul></ul></b><br class="Apple-interchange-newline">`;

export const notion = `<meta charset='utf-8'><!-- notionvc: 5f1c --><h3>Sprint</h3>
<ul>
<li>[ ]  Plan <code>api</code> with <a href="https://notion.so/x">docs</a></li>
</ul>
<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span class="to-do-children-checked">Review</span><div class="indented"></div></li></ul>`;

export const confluence = `<meta charset='utf-8'><h2 id="x" data-renderer-start-pos="1">Tasks</h2><ul class="inline-task-list" data-inline-tasks-content-id="123"><li data-inline-task-id="1"><span class="placeholder-inline-tasks">Write report <time datetime="2026-11-20" class="date-upcoming">20 Nov 2026</time></span></li><li class="checked" data-inline-task-id="2"><span>Ask Jane</span></li></ul><div data-node-type="actionList" data-task-list-local-id="a"><div data-task-local-id="b" data-task-state="TODO">New one</div></div><ac:task-list><ac:task><ac:task-id>4</ac:task-id><ac:task-status>complete</ac:task-status><ac:task-body>Newer one</ac:task-body></ac:task></ac:task-list>`;

export const confluenceStorage = `<ac:task-list>
<ac:task><ac:task-id>1</ac:task-id><ac:task-uuid>u-1</ac:task-uuid><ac:task-status>incomplete</ac:task-status><ac:task-body><span class="placeholder-inline-tasks">Ask <ac:link><ri:user ri:account-id="557058:ab-1" /></ac:link> about <ac:link><ri:page ri:content-title="Plan" /></ac:link> <time datetime="2026-01-02" /></span></ac:task-body></ac:task>
<ac:task><ac:task-id>2</ac:task-id><ac:task-status>complete</ac:task-status><ac:task-body>Two<ac:task-list><ac:task><ac:task-status>incomplete</ac:task-status><ac:task-body>inner</ac:task-body></ac:task></ac:task-list></ac:task-body></ac:task>
</ac:task-list><ac:structured-macro ac:name="code"><ac:parameter ac:name="language">js</ac:parameter><ac:plain-text-body><![CDATA[if (a < b) { c > d; }]]></ac:plain-text-body></ac:structured-macro>`;

export const github = `<meta charset='utf-8'><ul class="contains-task-list" style="box-sizing: border-box; color: rgb(31, 35, 40);"><li class="task-list-item enabled"><div class="show-cursor"><svg aria-hidden="true" width="16"></svg></div><input type="checkbox" id="" class="task-list-item-checkbox" aria-label="Incomplete task"><span> </span>Fix <code class="notranslate">parse()</code> <img class="emoji" alt=":tada:" src="https://github.githubassets.com/images/icons/emoji/unicode/1f389.png"></li><li class="task-list-item enabled"><input type="checkbox" class="task-list-item-checkbox" checked="" aria-label="Completed task"> Close <a class="issue-link" href="https://github.com/a/b/issues/12">#12</a></li></ul>`;

export const gmail = `<div dir="ltr">Hi all,<div><br></div><div>- buy stamps</div><div>☑&nbsp;pay rent</div><div>[ ] call the bank<br></div><div><br></div><div>Thanks</div><img src="https://mail.example/t.gif" width="1" height="1"></div>`;
