import { Screen } from '../parts/screen.tsx';

export default function TemplatesEditor() {
  return <Screen title="Smart templates editor">Here you will edit templates as text, with a preview.</Screen>;
}
