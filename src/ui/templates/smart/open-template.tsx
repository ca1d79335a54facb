import type { ComponentProps } from 'react';
import type { ListedTemplate } from '../../../client/admin/templates.ts';
import { managing, templates as messages } from '../../../domain/messages.ts';
import { ErrorView } from '../../kit/error-view.tsx';
import { Loading } from '../../kit/loading.tsx';
import { Message } from '../../kit/message.tsx';
import { useDraftSlot } from '../../text-editor/saving/use-draft-slot.ts';
import { TemplateEditor } from './template-editor.tsx';
import { useTemplate } from './use-template-views.ts';

interface Props extends Omit<ComponentProps<typeof TemplateEditor>, 'template' | 'slot' | 'lost'> {
  id: string;
  /** As it was when somebody went elsewhere with something unsaved in it. */
  left: ListedTemplate | undefined;
}

/** A template that was chosen, as soon as it is here. */
export function OpenTemplate({ id, left, ...shared }: Props) {
  const { data, error, refetch, isFetching } = useTemplate(id, shared.projectId);
  const slot = useDraftSlot(`template ${id}`);
  const lost = error?.message === messages.notFound;
  const template = data ?? (lost ? left : undefined);
  if (template && slot) return <TemplateEditor template={template} slot={slot} lost={lost} {...shared} />;
  if (lost) return <Message appearance="warning">{messages.notFound}</Message>;
  if (error) return <ErrorView title={managing.getTemplates} onRetry={() => void refetch()} retrying={isFetching} />;
  return <Loading />;
}
