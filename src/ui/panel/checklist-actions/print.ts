import { useEffect } from 'react';
import './print.css';

/** Paper is light: while the page is printed it has the light theme, whichever way printing was asked for. */
export function useLightPrint(): void {
  useEffect(() => {
    const { dataset } = document.documentElement;
    let mode: string | undefined;
    const before = () => {
      mode = dataset.colorMode;
      if (mode !== undefined) dataset.colorMode = 'light';
    };
    const after = () => {
      if (mode !== undefined) dataset.colorMode = mode;
    };
    window.addEventListener('beforeprint', before);
    window.addEventListener('afterprint', after);
    return () => {
      window.removeEventListener('beforeprint', before);
      window.removeEventListener('afterprint', after);
    };
  }, []);
}
