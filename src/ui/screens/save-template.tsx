import { SaveTemplateScreen } from '../templates/save.tsx';

export default SaveTemplateScreen;
