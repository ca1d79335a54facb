import { useEffect, useId, useRef, useState } from 'react';
import { switchUser } from '../data/changes.ts';
import { Avatar } from '../parts/issue.tsx';
import { Link } from '../parts/link.tsx';
import { useAddress } from './address.ts';
import { FramesSwitch } from './frames-switch.tsx';
import { isCustomer, useSite } from './site.ts';
import { chooseTheme, useTheme } from './theme.ts';

export function Header() {
  const { site, user, forge } = useSite();
  return (
    <header className="header">
      <Link className="site-name" href="/">
        <span className="site-logo" aria-hidden="true" />
        {site}
      </Link>
      <nav className="site-nav" aria-label="Site">
        <NavLink href="/">{isCustomer(user) ? 'Requests' : 'Projects'}</NavLink>
        {!isCustomer(user) && <NavLink href="/dashboard">Dashboard</NavLink>}
        {!isCustomer(user) && <NavLink href="/apps">Apps</NavLink>}
        {!isCustomer(user) && <NavLink href="/faults">Faults</NavLink>}
        {!isCustomer(user) && <NavLink href="/quota">Quota</NavLink>}
        {!isCustomer(user) && <NavLink href="/outbox">Outbox</NavLink>}
        {!isCustomer(user) && <NavLink href="/automation">Automation</NavLink>}
      </nav>
      {forge ? <FramesSwitch /> : null}
      <ThemeSwitch />
      <UserSwitch />
    </header>
  );
}

function NavLink({ href, children }: { href: string; children: string }) {
  const { pathname } = useAddress();
  return (
    <Link href={href} aria-current={pathname === href ? 'page' : undefined}>
      {children}
    </Link>
  );
}

function ThemeSwitch() {
  const theme = useTheme();
  const other = theme === 'light' ? 'dark' : 'light';
  return (
    <button
      type="button"
      className="icon-button theme-switch"
      role="switch"
      aria-checked={theme === 'dark'}
      aria-label="Dark theme"
      title={`Switch to the ${other} theme`}
      onClick={() => chooseTheme(other)}
    >
      <span className="theme-mark" aria-hidden="true" />
    </button>
  );
}

/** Switches the visitor's account. All data of the page is then reloaded. */
function UserSwitch() {
  const { user, users } = useSite();
  const list = useRef<HTMLDivElement>(null);
  const [trouble, setTrouble] = useState<string | undefined>(undefined);
  const id = useId();

  useEffect(() => {
    // A click into a frame does not reach the page.
    const close = () => list.current?.hidePopover();
    window.addEventListener('blur', close);
    return () => window.removeEventListener('blur', close);
  }, []);

  const choose = (accountId: string) => {
    setTrouble(undefined);
    switchUser(accountId).then(
      () => list.current?.hidePopover(),
      (error: Error) => setTrouble(error.message),
    );
  };

  return (
    <div className="user-switch">
      <button type="button" className="user-button" popoverTarget={id}>
        <span className="hidden">Switch user: </span>
        <Avatar user={user} size={28} />
        <span className="user-text">
          <span>{user.displayName}</span>
          <span className="subtle">{user.role}</span>
        </span>
        <span className="chevron" aria-hidden="true" />
      </button>
      <div ref={list} id={id} popover="auto" className="user-list">
        <p className="user-list-title">Switch user</p>
        <ul>
          {users.map(other => (
            <li key={other.accountId}>
              <button
                type="button"
                aria-current={other.accountId === user.accountId ? 'true' : undefined}
                onClick={() => choose(other.accountId)}
              >
                <Avatar user={other} size={28} />
                <span className="user-text">
                  <span>{other.displayName}</span>
                  <span className="subtle">{other.role}</span>
                </span>
              </button>
            </li>
          ))}
        </ul>
        {trouble ? (
          <p className="trouble" role="alert">
            {trouble}
          </p>
        ) : null}
      </div>
    </div>
  );
}
