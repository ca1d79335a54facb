/** In the place of the name of somebody whom the tracker does not know. */
export const unknownPerson = 'Unknown person';

/** Somebody as lists show them. */
export interface Person {
  accountId: string;
  name: string;
  /** Address of a picture of 16 pixels; empty where there is none. */
  avatar: string;
}
