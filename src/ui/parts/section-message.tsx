import SectionMessage, { SectionMessageAction } from '@atlaskit/section-message';
import type { MessageProps } from './message.tsx';

export default function Styled({ appearance, title, children, action }: MessageProps) {
  return (
    <SectionMessage
      appearance={appearance}
      {...(title && { title })}
      {...(action && { actions: <SectionMessageAction onClick={action.run}>{action.label}</SectionMessageAction> })}
    >
      {children}
    </SectionMessage>
  );
}
