import { HistoryScreen } from '../history/screen.tsx';

export default HistoryScreen;
