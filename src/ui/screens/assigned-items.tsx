import { AssignedScreen } from '../assigned/screen.tsx';

export default AssignedScreen;
