import { HierarchyScreen } from '../hierarchy/screen.tsx';

export default HierarchyScreen;
