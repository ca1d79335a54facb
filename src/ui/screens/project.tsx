import { ProjectScreen } from '../settings/project.tsx';

export default ProjectScreen;
