import { whole } from '../../../domain/messages.ts';
import { Button } from '../../kit/button.tsx';
import { InlineDialog } from '../../kit/inline-dialog.tsx';

interface Props {
  rows: number;
  onClose(): void;
}

/** Asks before everything is deleted. */
export const ClearQuestion = ({ rows, onClear, onClose }: Props & { onClear(): void }) => (
  <InlineDialog className="check-question" text={whole.clear(rows)} onClose={onClose}>
    <Button appearance="primary" onClick={onClear}>
      Clear
    </Button>
    <Cancel onClose={onClose} />
  </InlineDialog>
);

/** Asks where an import goes. */
export const ImportQuestion = ({
  rows,
  onBelow,
  onReplace,
  onClose,
}: Props & { onBelow(): void; onReplace(): void }) => (
  <InlineDialog className="check-question" text={whole.importMore(rows)} onClose={onClose}>
    <Button appearance="primary" onClick={onBelow}>
      Import below
    </Button>
    <Button onClick={onReplace}>Replace all</Button>
    <Cancel onClose={onClose} />
  </InlineDialog>
);

const Cancel = ({ onClose }: Pick<Props, 'onClose'>) => (
  <Button appearance="subtle" onClick={onClose}>
    Cancel
  </Button>
);
