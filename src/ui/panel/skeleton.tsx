import Skeleton from '@atlaskit/skeleton';

const widths = ['72%', '56%', '64%'];

/** The room that a short checklist takes, while the tracker is asked for it. */
export const PanelSkeleton = () => (
  <div className="check-panel check-skeleton" role="status" aria-label="Loading checklist">
    <Skeleton width="100%" height={6} borderRadius="var(--ds-radius-small)" isShimmering />
    {widths.map(width => (
      <Skeleton key={width} width={width} height={20} borderRadius="var(--ds-radius-small)" isShimmering />
    ))}
  </div>
);
