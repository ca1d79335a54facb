import * as v from 'valibot';
import { notifyModes } from '../../domain/automation/notifications.ts';
import { graphql, operation } from '../operation.ts';
import { answerFields, answerShape } from './answer.ts';

const settingsShape = v.object({ mode: v.picklist(notifyModes), muted: v.boolean() });

/** The user's own settings, and whether the issue is muted. */
export const getNotifications = operation(
  graphql('query getNotifications($issueId: ID) { notificationSettings(issueId: $issueId) { mode muted } }'),
  v.object({ notificationSettings: settingsShape }),
);

export const chooseNotifications = operation(
  graphql(`mutation chooseNotifications($mode: NotifyMode!) {
    updateNotificationSettings(mode: $mode) { settings { mode muted } ${answerFields} }
  }`),
  v.object({ updateNotificationSettings: v.object({ settings: v.nullable(settingsShape), ...answerShape }) }),
);

export const muteNotifications = operation(
  graphql(`mutation muteNotifications($issueId: ID!, $muted: Boolean!) {
    muteNotifications(issueId: $issueId, muted: $muted) { settings { mode muted } ${answerFields} }
  }`),
  v.object({ muteNotifications: v.object({ settings: v.nullable(settingsShape), ...answerShape }) }),
);
