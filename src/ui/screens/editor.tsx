import { EditorScreen } from '../editor/screen.tsx';

export default EditorScreen;
