export const selected = 'Selected. Press Enter to change it.';
export const gate = (status: string) => `Before ${status}`;
export const customers = 'Visible to customers';
export const priority = (name: string) => `Priority: ${name}`;
