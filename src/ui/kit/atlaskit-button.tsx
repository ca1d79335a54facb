import Button from '@atlaskit/button/new';
import type { ButtonProps } from './button.tsx';

export default function Styled({ icon, busy = false, onClick, ...props }: ButtonProps) {
  return <Button {...props} {...(icon && { iconBefore: icon })} isLoading={busy} onClick={() => onClick()} />;
}
