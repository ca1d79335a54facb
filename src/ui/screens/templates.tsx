import { TemplatesScreen } from '../templates/screen.tsx';

export default TemplatesScreen;
