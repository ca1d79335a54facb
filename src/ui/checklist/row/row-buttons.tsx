import ShowMoreIcon from '@atlaskit/icon/core/show-more-horizontal';
import { Suspense } from 'react';
import type { Row } from '../../../text/types.ts';
import { lazyComponent } from '../../kit/lazy/lazy-component.tsx';
import type { RowActions } from '../../model/checklist/use-actions.ts';
import type { ListedProps } from './row-tools.tsx';
import type { OpenPart } from './use-open-part.ts';

const load = () => import('./row-layers.tsx');
const Layers = lazyComponent(load);

export interface MoreProps extends ListedProps {
  row: Row;
  /** The row's name. */
  name: string;
  opened: OpenPart;
  actions: RowActions;
  canChangeStatus: boolean;
  canDelete: boolean;
  canEdit: boolean;
}

/** A row's menu button. The menu is preloaded on hover and focus. */
export default function More(props: MoreProps) {
  const { opened, name, tab } = props;
  const { part } = opened;
  const prepare = () => void load().catch(() => undefined);
  return (
    <span className="check-status-control">
      <button
        type="button"
        className="check-more"
        tabIndex={tab}
        aria-haspopup="menu"
        aria-expanded={part === 'menu'}
        aria-label={`More actions for ${name}`}
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={() => (part === 'menu' ? opened.close('menu', true) : opened.open('menu'))}
      >
        <ShowMoreIcon label="" />
      </button>
      {part === 'menu' || part === 'section' || part === 'convert' || part === 'assignee' || part === 'due' ? (
        <Suspense fallback={null}>
          <Layers {...props} part={part} />
        </Suspense>
      ) : null}
    </span>
  );
}
