import { useState } from 'react';
import './avatar.css';

interface Props {
  /** Address of the picture; none before it is known, and of people who have none. */
  picture: string | undefined;
  /** Whose it is, for a letter in the picture's stead. */
  name: string | undefined;
}

/** A person's picture, as large before it comes as after. The name stands beside it, for those who hear the page too. */
export function Avatar({ picture, name }: Props) {
  const [failed, setFailed] = useState<string | undefined>(undefined);
  const [letter = ''] = name ?? '';
  return (
    <span className="avatar" aria-hidden="true">
      {picture && failed !== picture ? <img src={picture} alt="" onError={() => setFailed(picture)} /> : letter}
    </span>
  );
}
