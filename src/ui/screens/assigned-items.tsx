import { AssignedScreen } from '../assigned/assigned-screen.tsx';

export default AssignedScreen;
