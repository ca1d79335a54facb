const short = { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
const formats = [
  new Intl.DateTimeFormat('en-GB', short),
  new Intl.DateTimeFormat('en-GB', { ...short, year: 'numeric' }),
] as const;

/** A day by weekday and month, with the year if it differs from today's. Both are ISO days. */
export const dayWords = (day: string, today: string): string =>
  formats[day.slice(0, 4) === today.slice(0, 4) ? 0 : 1].format(Date.parse(day)).replace(',', '');
