import { graphql, operation } from '../operation.ts';
import { answerFields } from './selections.ts';

/** The user's own settings, and whether the issue is muted. */
export const getNotifications = operation(
  graphql('query getNotifications($issueId: ID) { notificationSettings(issueId: $issueId) { mode muted } }'),
);

export const chooseNotifications = operation(
  graphql(`mutation chooseNotifications($mode: NotifyMode!) {
    updateNotificationSettings(mode: $mode) { settings { mode muted } ${answerFields} }
  }`),
);

export const muteNotifications = operation(
  graphql(`mutation muteNotifications($issueId: ID!, $muted: Boolean!) {
    muteNotifications(issueId: $issueId, muted: $muted) { settings { mode muted } ${answerFields} }
  }`),
);
