import { SiteScreen } from '../settings/site/site-settings.tsx';

export default SiteScreen;
