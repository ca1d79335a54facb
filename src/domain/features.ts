/** Features that an operator may hold back: `FEATURE_FLAGS` names those that are on. */
export const features = ['dayOffers', 'enforcementNotes'] as const;

export type Feature = (typeof features)[number];
