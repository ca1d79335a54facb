import { AssignmentsScreen } from '../assignments/screen.tsx';

export default AssignmentsScreen;
