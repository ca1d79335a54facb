import { HierarchyScreen } from '../hierarchy/hierarchy-screen.tsx';

export default HierarchyScreen;
