import { SaveTemplateScreen } from '../templates/save-template.tsx';

export default SaveTemplateScreen;
