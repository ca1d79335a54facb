import { TemplatesScreen } from '../templates/templates-screen.tsx';

export default TemplatesScreen;
