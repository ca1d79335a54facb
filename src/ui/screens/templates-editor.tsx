import { SmartTemplatesScreen } from '../templates/smart/smart-templates-screen.tsx';

export default SmartTemplatesScreen;
