import { StartScreen } from '../settings/start.tsx';

export default StartScreen;
