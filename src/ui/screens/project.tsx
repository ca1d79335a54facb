import { ProjectScreen } from '../settings/project/project-settings.tsx';

export default ProjectScreen;
