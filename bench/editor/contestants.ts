/** The editors that are compared. */
export const contestants = ['bare', 'markdown', 'checklist'] as const;
export type Contestant = (typeof contestants)[number];

/** What the page lets the benchmark do. */
export interface EditorBench {
  /** Opens the text in each editor. */
  open(text: string): void;
  /** Shows one of them, the cursor at the end of a line in the middle of the window. Forgets what was measured. */
  show(name: Contestant, line: number): Promise<void>;
  /** Milliseconds from each key to the end of its frame, and those of tasks that took longer than 50. */
  take(): Promise<{ times: number[]; longTasks: number[] }>;
}
