/** Deviations of calls at the local tracker from the vendor's document that are right, each with its reason. */
export const knownDeviations: readonly { pattern: RegExp; reason: string }[] = [
  {
    pattern: /^(GET|POST) \S+ 200: .*\/items\/N\/(from|fromString|to|toString) must be string$/,
    reason: 'a change from or to nothing has null there; the document leaves "nullable" out',
  },
  {
    pattern: /: status (401|403|404|413|415|429|5\d\d) is not documented$/,
    reason:
      'any call can be refused by scope, permission, policy, size, type or limit; the document names some of these only',
  },
  {
    pattern: /^no such call: POST \/rest\/api\/N\/forge\/panel\/action\/bulk\/async$/,
    reason: 'pins panels since August 2026 (CHANGE-3102); the document is of December 2025',
  },
  {
    pattern: /^no such call: POST \/rest\/atlassian-connect\/latest\/report-accounts$/,
    reason: "reports accounts from Connect apps, by the vendor's library for such apps; the document leaves it out",
  },
  {
    pattern: /^no such call: POST \/rest\/atlassian-connect\/N\/migration\/[^/]+\/[^/]+\/task$/,
    reason: "begins a task again, by the vendor's library of September 2026; the document is of December 2025",
  },
  {
    pattern: /^no such call: GET \/rest\/api\/N\/nothing$/,
    reason: 'a test asks for a call that does not exist',
  },
];
