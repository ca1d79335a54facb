import type { ComponentProps } from 'react';
import { ActionMenu, type MenuAction } from '../kit/action-menu.tsx';
import { useLayer } from '../kit/layers.ts';

/** The menu of what can be done to a template. */
export function TemplateMenu(props: Omit<ComponentProps<typeof ActionMenu<MenuAction>>, 'mark'>) {
  useLayer(true, () => props.onClose(false));
  return <ActionMenu {...props} />;
}
