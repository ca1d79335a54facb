import Spinner from '@atlaskit/spinner';

/** Something is being loaded, in the middle of the room that it will take. */
export const Loading = ({ size = 'medium' }: { size?: 'small' | 'medium' }) => (
  <div className="loading">
    <Spinner size={size} label="Loading" />
  </div>
);
