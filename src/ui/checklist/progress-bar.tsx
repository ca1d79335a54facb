import type { Progress } from '../../text/types.ts';
import type { Segments } from '../model/rows/progress-counts.ts';
import './progress-bar.css';

interface Props {
  progress: Progress;
  segments: Segments;
}

/** How far a checklist is, as a bar of what is done, skipped and begun; the kit's bar has one value only. */
export function SegmentedBar({ progress: { checked, total, percent }, segments }: Props) {
  const width = (count: number) => ({ width: `${(count * 100) / total}%` });
  return (
    <div
      role="progressbar"
      className="check-bar-track"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-label={`${checked} of ${total} done, ${percent} percent`}
    >
      <span className="check-bar-done" style={width(segments.done)} />
      <span className="check-bar-skipped" style={width(segments.skipped)} />
      <span className="check-bar-begun" style={width(segments.begun)} />
    </div>
  );
}

/** The same in words. */
export const SegmentWords = ({ progress: { checked, total, percent }, segments: { skipped, begun } }: Props) => (
  <>
    <span>
      {checked} of {total} done
    </span>
    <span className="check-percent">{percent}%</span>
    {skipped > 0 ? <span className="check-word-skipped">{skipped} skipped</span> : null}
    {begun > 0 ? <span className="check-word-begun">{begun} in progress</span> : null}
  </>
);
