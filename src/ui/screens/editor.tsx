import { EditorScreen } from '../editor/editor-screen.tsx';

export default EditorScreen;
