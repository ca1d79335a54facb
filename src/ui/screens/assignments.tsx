import { AssignmentsScreen } from '../templates/assignments/assignments-screen.tsx';

export default AssignmentsScreen;
