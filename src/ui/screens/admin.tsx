import { SiteScreen } from '../settings/site.tsx';

export default SiteScreen;
