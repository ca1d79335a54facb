import type { ComponentType } from 'react';

type Load = () => Promise<{ default: ComponentType }>;

/** The imports of all screens but the panel, apart from the first load. */
export const screens = {
  editor: () => import('./editor/editor-screen.tsx'),
  saveTemplate: () => import('./templates/save-template.tsx'),
  templates: () => import('./templates/templates-screen.tsx'),
  rules: () => import('./templates/rules/rules-screen.tsx'),
  gettingStarted: () => import('./settings/getting-started.tsx'),
  site: () => import('./settings/site/site-settings.tsx'),
  automation: () => import('./automation/automation-screen.tsx'),
  notifications: () => import('./notifications/notifications-screen.tsx'),
  assigned: () => import('./assigned-items/assigned-screen.tsx'),
  project: () => import('./settings/project/project-settings.tsx'),
  history: () => import('./history/history-screen.tsx'),
  help: async () => ({ default: (await import('./help/help-screen.tsx')).HelpScreen }),
  workflow: () => import('./workflow-rule/rule-screen.tsx'),
  gadget: () => import('./gadget/gadget-screen.tsx'),
  hierarchy: () => import('./hierarchy/hierarchy-screen.tsx'),
  smartTemplates: () => import('./templates/smart/smart-templates-screen.tsx'),
} satisfies Record<string, Load>;
