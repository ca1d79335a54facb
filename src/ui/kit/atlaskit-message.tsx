import SectionMessage, { SectionMessageAction } from '@atlaskit/section-message';
import type { MessageProps } from './message.tsx';

export default function Styled({ appearance, title, children, actions }: MessageProps) {
  return (
    <SectionMessage
      appearance={appearance}
      {...(title && { title })}
      {...(actions && {
        actions: actions.map(({ label, run }) => (
          <SectionMessageAction key={label} onClick={run}>
            {label}
          </SectionMessageAction>
        )),
      })}
    >
      {children}
    </SectionMessage>
  );
}
