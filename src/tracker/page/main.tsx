import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { Shell } from './app/shell.tsx';
import { restoreTheme } from './app/theme.ts';
import { installBridge } from './bridge/install.ts';
import { client } from './data/client.ts';
import 'virtual:tokens.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/page.css';
import './styles/issue.css';
import './styles/layers.css';
import './styles/form.css';
import './styles/faults.css';
import './styles/quota.css';
import './styles/outbox.css';
import './styles/board.css';

restoreTheme();
installBridge();

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');

createRoot(root).render(
  <QueryClientProvider client={client}>
    <Shell />
  </QueryClientProvider>,
);
