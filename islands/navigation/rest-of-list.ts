import { whenAnswered } from '#islands/navigation/press-end'
import { emit } from '#islands/runtime/events'

/** The shown list and its remaining cards, which are appended once the first ones have been painted. */
let rest: { list: Element; cards: Element[] } | null = null

/** The first cards fill this many screens, so that whatever follows the list is out of sight. */
const screens = 1.25
/**
 * Approximate area of the smallest card with its gaps, in square pixels, to estimate how many fill a screen before
 * layout.
 */
const cardArea = 100_000
/** Cards appended in one frame: about 50 ms of work on a processor four times slower than a laptop's. */
const batchSize = 8

/** Events that may need the whole list: a press, a key that selects, moves on or prints, a queue that starts here. */
for (const name of ['pointerdown', 'keydown', 'nocturne:play']) addEventListener(name, () => addCards(), true)
addEventListener('scroll', fillScreen)

/** Removes the cards far below the first screen from a fetched page that will be shown from its top. */
export function holdRestBack(page: Document): void {
  // Complete the list of the current page first: while incomplete, it could equal the new one, and would not be
  // replaced.
  addCards()
  const list = page.querySelector('#main [data-list] > section')
  if (!list) return
  // The size of the screen, not of the window: reading the window's size would force a layout now, and it is no larger.
  const cards = [...list.children].slice(Math.ceil((screen.width * screen.height * screens) / cardArea))
  for (const card of cards) card.remove()
  rest = { list, cards }
}

/** Appends the remaining cards in batches, one in each frame after the one that shows the page. */
export async function addRest(): Promise<void> {
  fillScreen()
  while (rest) {
    await whenAnswered()
    addCards(batchSize)
  }
}

/** Appends cards while the end of the list is in sight, or nearly so. */
function fillScreen(): void {
  while (rest && rest.list.getBoundingClientRect().bottom < innerHeight * screens) addCards(batchSize)
}

/** Appends `count` of the remaining cards, or all of them. */
function addCards(count?: number): void {
  if (!rest) return
  const { list, cards } = rest
  const batch = cards.splice(0, count ?? cards.length)
  // No cards are left, or the list has been replaced by another page.
  if (!cards[0] || !list.isConnected) rest = null
  if (!list.isConnected) return
  list.append(...batch)
  emit('nocturne:islands', { under: list })
}
