/** Somebody as lists show them. */
export interface Person {
  accountId: string;
  name: string;
  /** Address of a picture of 16 pixels; empty where there is none. */
  avatar: string;
}
