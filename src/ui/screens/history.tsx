import { HistoryScreen } from '../history/history-screen.tsx';

export default HistoryScreen;
