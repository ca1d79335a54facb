import { SmartTemplatesScreen } from '../smart-templates/screen.tsx';

export default SmartTemplatesScreen;
