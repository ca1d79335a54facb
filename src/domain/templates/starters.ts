/** A template that comes with the app. */
export interface Starter {
  id: string;
  name: string;
  /** One line on what it is for. */
  about: string;
  text: string;
}

/** Other templates have random ids. */
const STARTER_PREFIX = 'starter:';

export const isStarter = (templateId: string): boolean => templateId.startsWith(STARTER_PREFIX);

/**
 * The starter templates in the order of the gallery. Short enough for the smallest edition's limit of items, without
 * dates and people, and each with what must not be skipped marked as mandatory.
 */
export const starters: readonly Starter[] = [
  {
    id: `${STARTER_PREFIX}definition-of-done`,
    name: 'Definition of done',
    about: 'What every change needs before it is done',
    text: `# Code
- ! Acceptance criteria are met
- ! Code is reviewed
> By at least one person who did not write it.
- No new warnings, no commented-out code
# Tests
- ! Automated tests cover the change
- ! All tests pass on the main branch
- Tested by hand in the supported browsers
# Release
- Documentation and help texts are updated
- Release note is written
> One sentence for users, without internal names.
- Monitoring and alerts cover the change
- ! Product owner has accepted the result
`,
  },
  {
    id: `${STARTER_PREFIX}definition-of-ready`,
    name: 'Definition of ready',
    about: 'What an issue needs before work starts',
    text: `# Value
- ! The user and the problem are described
> As a …, I want …, so that …
- The business value is clear
# Scope
- ! Acceptance criteria can be tested
- Out of scope is written down
- Designs are attached
> Include empty, loading and error states.
# Feasibility
- ! The team has estimated the issue
- Dependencies on other teams are resolved or linked
- The issue fits into one sprint
- Security and privacy impact is assessed
`,
  },
  {
    id: `${STARTER_PREFIX}release`,
    name: 'Release',
    about: 'From code freeze to the announcement',
    text: `# Prepare
- ! Scope is final and the branch is cut
- Version number and changelog are updated
- ! Regression tests pass
- ! Rollback plan is written and tested
> Name the previous version, the steps, and the person who decides.
- Support and sales know what changes
# Deploy
- Database backup is verified
- ! Deploy to staging and run the smoke tests
- ! Deploy to production
- Run the smoke tests in production
# Follow up
- Monitor errors and response times for one hour
- Publish the release notes
- Close the version and move open issues
`,
  },
  {
    id: `${STARTER_PREFIX}bug`,
    name: 'Bug',
    about: 'From the report to a fix that stays fixed',
    text: `# Understand
- ! Steps to reproduce are written down
> Starting point, steps, expected result, actual result.
- Affected versions and environments are listed
- Logs or screenshots are attached
- Severity and number of affected users are assessed
# Fix
- ! Root cause is found
- ! A test fails without the fix
- ! Fix is reviewed
- Similar places in the code are checked
# Verify
- ! The reporter's steps no longer reproduce the bug
- Data that the bug damaged is repaired
- Fix version is set and the reporter is informed
`,
  },
  {
    id: `${STARTER_PREFIX}incident`,
    name: 'Incident',
    about: 'Respond, resolve, and learn from an outage',
    text: `# Respond
- ! Severity is set and an incident lead is named
- ! Communication channel is open
> Post the link here so that others can join.
- Status page is updated
- Affected customers and support are informed
# Resolve
- Recent changes and deployments are checked
- ! Service is restored
> Prefer a rollback to a fix under pressure.
- Recovery is confirmed by monitoring
- Status page is closed
# Learn
- ! Timeline is written down
- Review meeting takes place within five days
- Root cause and contributing factors are documented
- ! Follow-up actions have owners and due dates
`,
  },
  {
    id: `${STARTER_PREFIX}onboarding`,
    name: 'Onboarding',
    about: 'From the signed contract to the first month',
    text: `# Before the first day
- ! Hardware is ordered
- ! Accounts and groups are created
- A buddy is named
- First week's calendar is planned
# First day
- Welcome and tour of the office or the tools
- ! Sign-in works for all tools
- ! Security and privacy training is completed
- Meet the team
# First weeks
- Goals for the first three months are agreed
- First small task is delivered
> Choose something that touches the whole process.
- Meet the main contacts in other teams
- Feedback talk after one month
`,
  },
  {
    id: `${STARTER_PREFIX}access-request`,
    name: 'Access request',
    about: 'Grant access with approval and an end',
    text: `# Request
- ! System, role and reason are stated
> Ask for the smallest role that is enough.
- ! End date is set for temporary access
- ! Manager has approved
- System owner has approved
# Grant
- Identity of the requester is verified
- ! Access is granted through a group, not directly
- Multi-factor authentication is active
- The requester has confirmed that it works
# Close
- ! Grant is recorded for the next access review
- Removal is scheduled for the end date
`,
  },
  {
    id: `${STARTER_PREFIX}code-review`,
    name: 'Code review',
    about: 'What a reviewer looks at',
    text: `# Behavior
- ! The change does what the issue asks for
- ! Errors and edge cases are handled
> Empty, large and concurrent input; lost connections; missing permissions.
- No behavior changes by accident
# Design
- Names say what things are
- No duplication of what exists already
- ! Public interfaces and stored data stay compatible
# Safety
- ! Input is validated and output is escaped
- ! No secrets in code, logs or tests
- New dependencies are necessary and maintained
# Tests and operation
- ! Tests fail without the change
- Performance is acceptable with real amounts of data
- Logs and metrics are sufficient to find a failure
`,
  },
];

/** The starter of that id, if it is one. */
export const starterOf = (templateId: string): Starter | undefined => starters.find(({ id }) => id === templateId);
