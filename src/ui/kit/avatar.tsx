import { useState } from 'react';
import './kit.css';

interface Props {
  /** The picture's URL; `undefined` while unknown and for users without one. */
  picture: string | undefined;
  /** The user's name; its first letter shows without a picture. */
  name: string | undefined;
}

/**
 * A user's picture at a fixed size. Hidden from screen readers: the name is always next to it. The kit's avatar adds
 * 9.5 kB after gzip to the panel's rows, and shows the same silhouette for all users without a picture.
 */
export function Avatar({ picture, name }: Props) {
  const [failed, setFailed] = useState<string | undefined>(undefined);
  const [letter = ''] = name ?? '';
  return (
    <span className="avatar" aria-hidden="true">
      {picture && failed !== picture ? <img src={picture} alt="" onError={() => setFailed(picture)} /> : letter}
    </span>
  );
}
