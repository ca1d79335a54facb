/** The greeting by which the tracker's page knows a frame that offers its port. */
export const GREETING = 'forge-frame';
