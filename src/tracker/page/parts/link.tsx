import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { go } from '../app/address.ts';

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { href: string };

/** A link inside the site. Other buttons and modifier keys keep their meaning. */
export function Link({ href, children, ...attributes }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(href);
  };
  return (
    <a {...attributes} href={href} onClick={follow}>
      {children}
    </a>
  );
}
