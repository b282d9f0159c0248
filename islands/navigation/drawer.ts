import { whenAnswered } from '#islands/navigation/press-end'
import { listen } from '#islands/runtime/events'

let opener: HTMLElement | null = null

/**
 * The sidebar as a drawer of small screens. Without this file `#sidebar:target` does it; with it there is no
 * history entry, Esc and a press beside it close it, and the focus goes in and comes back.
 */
export function startDrawer(): void {
  document.addEventListener('click', (event) => {
    const { target } = event
    if (!(target instanceof Element)) return
    const link = target.closest<HTMLAnchorElement>('a[href="#sidebar"]')
    const isInside = target.closest('#sidebar') && !target.closest('.sidebar-close')
    if (!link && (isInside || !isOpen())) return
    event.preventDefault()
    if (link) void open(link)
    else close()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || !isOpen()) return
    event.preventDefault()
    close()
  })
  listen('nocturne:navigated', () => close())
}

async function open(link: HTMLElement): Promise<void> {
  const sidebar = findSidebar()
  if (!sidebar) return
  opener = link
  sidebar.dataset.open = ''
  sidebar.querySelector<HTMLElement>('a, button')?.focus()
  // It is shown first: all of the page is styled again when it becomes inert.
  await whenAnswered()
  if (isOpen()) setInert(true)
}

function close(): void {
  const sidebar = findSidebar()
  if (!sidebar || !isOpen()) return
  delete sidebar.dataset.open
  setInert(false)
  // One that has gone takes no focus.
  opener?.focus({ preventScroll: true })
}

const findSidebar = () => document.getElementById('sidebar')
const isOpen = () => findSidebar()?.dataset.open !== undefined

/**
 * All but the drawer, so that the focus stays in it. A press beside it must still close it, so the page is not inert.
 */
function setInert(isInert: boolean): void {
  for (const element of document.querySelectorAll<HTMLElement>(
    '.topbar, .tabbar, .main-inner, #player-host',
  )) {
    element.inert = isInert
  }
}
