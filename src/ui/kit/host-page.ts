/** Pixels covered by the bar at the top of the tracker's page, if it embeds the frame. */
export const HOST_BAR_PX = 56;
