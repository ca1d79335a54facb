import { Screen } from '../parts/screen.tsx';

export default function PostInstall() {
  return <Screen title="Get started">Here you will set up checklists for this site and try the first one.</Screen>;
}
