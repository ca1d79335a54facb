import { TemplatesScreen } from '../templates/templates-screen.tsx';

export default function NewTemplate() {
  return <TemplatesScreen create />;
}
