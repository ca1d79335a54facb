/** The editors that are compared. */
export const contestants = ['bare', 'markdown', 'checklist'] as const;
export type Contestant = (typeof contestants)[number];

/** The page's interface for the benchmark. */
export interface EditorBench {
  /** Opens the text in each editor. */
  open(text: string): void;
  /** Shows one of them, with the cursor at the end of a line in the middle of the window. Resets the measurements. */
  show(name: Contestant, line: number): Promise<void>;
  /** Milliseconds from each key to the end of its frame, and those of tasks that took longer than 50. */
  take(): Promise<{ times: number[]; longTasks: number[] }>;
}
