/** The template that everybody has: what it shows is the notation itself. */
export const demoTemplate = {
  name: 'Demo checklist',
  text: `# How a checklist works
- Tick an item when it is done
+ This one is done
~ This one is in progress
x This one is skipped
- ! This one must be done before the issue is
- **Bold**, *italic*, \`code\` and [links](https://support.smart-checklist.app) work
> Lines like this are the details of the item above.
> Write as many as you need.

## Who and when
- Type @ to give an item to somebody
- A date is when an item is due: 2030-12-31
- An issue key becomes a link to the issue

## Writing
- Open the editor to see all of this as text
- One line is one item, a line with # is a header
`,
} as const;
