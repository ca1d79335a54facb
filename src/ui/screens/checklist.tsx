import { ChecklistPanel } from '../checklist/panel.tsx';

export default ChecklistPanel;
