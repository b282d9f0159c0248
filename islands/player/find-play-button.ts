/** Returns the play button of the bar or the full player that contains this element. */
export function findPlayButton(inside: Element): HTMLElement | null | undefined {
  return inside.closest('.player, dialog')?.querySelector<HTMLElement>('.player-play')
}
