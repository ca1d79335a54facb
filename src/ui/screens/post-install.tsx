import { StartScreen } from '../settings/getting-started.tsx';

export default StartScreen;
