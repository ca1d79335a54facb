import Spinner from '@atlaskit/spinner';

/** A loading spinner, centred in the space of its content. */
export const Loading = ({ size = 'medium' }: { size?: 'small' | 'medium' }) => (
  <div className="loading">
    <Spinner size={size} label="Loading" />
  </div>
);
