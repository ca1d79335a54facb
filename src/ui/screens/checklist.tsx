import { ChecklistPanel } from '../panel/panel.tsx';

export default ChecklistPanel;
