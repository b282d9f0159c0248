import { whenAnswered } from '#islands/navigation/press-end'
import { emit } from '#islands/runtime/events'

/** Cards of a list that is in place, which are put behind its others once those have been painted. */
let rest: { list: Element; cards: Element[] } | null = null

/** The first cards fill this many screens, so that what follows the list is out of sight. */
const screens = 1.25
/** About the smallest card with its gaps, in square pixels: how many fill a screen, before any is laid out. */
const cardArea = 100_000
/** Cards of one frame: 50 ms on a processor four times slower than a laptop's. */
const batchSize = 8

/** What may ask for the whole list: a press, a key that selects, moves on or prints, a queue that begins here. */
for (const name of ['pointerdown', 'keydown', 'nocturne:play']) addEventListener(name, () => addCards(), true)
addEventListener('scroll', fillScreen)

/** Takes the cards that are far below the first screen out of a fetched page, which is shown from its top now. */
export function holdRestBack(page: Document): void {
  // Whole, the page before differs from this one, which takes its place then.
  addCards()
  const list = page.querySelector('#main [data-list] > section')
  if (!list) return
  // Not the window, which is no larger: to ask for its size would have the page laid out now.
  const cards = [...list.children].slice(Math.ceil((screen.width * screen.height * screens) / cardArea))
  for (const card of cards) card.remove()
  rest = { list, cards }
}

/** Puts them in place: a batch in each of the frames after the one that shows the page. */
export async function addRest(): Promise<void> {
  fillScreen()
  while (rest) {
    await whenAnswered()
    addCards(batchSize)
  }
}

/** Where the cards end within sight, or soon would. */
function fillScreen(): void {
  while (rest && rest.list.getBoundingClientRect().bottom < innerHeight * screens) addCards(batchSize)
}

/** All that are left, or so many. */
function addCards(count?: number): void {
  if (!rest) return
  const { list, cards } = rest
  const batch = cards.splice(0, count ?? cards.length)
  // No more, or on another page by now, or under a skeleton.
  if (!cards[0] || !list.isConnected) rest = null
  if (!list.isConnected) return
  list.append(...batch)
  emit('nocturne:islands', { under: list })
}
