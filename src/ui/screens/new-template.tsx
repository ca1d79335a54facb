import { TemplatesScreen } from '../templates/screen.tsx';

export default function NewTemplate() {
  return <TemplatesScreen create />;
}
