import { notifyModes } from '../../../domain/automation/notifications.ts';
import type { NotificationSettings } from '../../events/notifications/callers.ts';
import { builder } from './builder.ts';
import { type Answer, AnswerInterface, toAnswer } from './payload.ts';

const Mode = builder.enumType('NotifyMode', {
  description: 'OFF: nothing; MINE: own items and mentions; ALL: also due items that the caller assigned to others.',
  values: notifyModes,
});

const SettingsType = builder.objectRef<NotificationSettings>('NotificationSettings').implement({
  fields: t => ({
    mode: t.expose('mode', { type: Mode }),
    muted: t.exposeBoolean('muted', { description: 'The issue that was asked for is muted.' }),
  }),
});

const SettingsPayload = builder.objectRef<Answer<NotificationSettings>>('NotificationSettingsPayload').implement({
  interfaces: [AnswerInterface],
  fields: t => ({
    settings: t.field({
      type: SettingsType,
      nullable: true,
      resolve: answer => ('error' in answer ? null : answer.value),
    }),
  }),
});

builder.mutationFields(t => ({
  updateNotificationSettings: t.field({
    type: SettingsPayload,
    args: { mode: t.arg({ type: Mode }) },
    resolve: (_root, { mode }, { notifications }) => toAnswer(notifications.choose(mode)),
  }),
  muteNotifications: t.field({
    type: SettingsPayload,
    description: 'Mutes or unmutes an issue for the caller.',
    args: { issueId: t.arg.id(), muted: t.arg.boolean() },
    resolve: (_root, { issueId, muted }, { notifications }) => toAnswer(notifications.mute(issueId, muted)),
  }),
}));

builder.queryFields(t => ({
  notificationSettings: t.field({
    type: SettingsType,
    description: "The caller's own.",
    args: { issueId: t.arg.id({ required: false }) },
    resolve: (_root, { issueId }, { notifications }) => notifications.settings(issueId ?? undefined),
  }),
}));
