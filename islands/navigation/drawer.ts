import { listen } from '#islands/runtime/events'

let opener: HTMLElement | null = null

/**
 * The sidebar as a drawer of small screens. Without this file `#sidebar:target` does it; with it there is no
 * history entry, Esc and a press beside it close it, and the focus goes in and comes back.
 */
export function startDrawer(): void {
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element)) return
    const link = event.target.closest<HTMLAnchorElement>('a[href="#sidebar"]')
    if (link) {
      event.preventDefault()
      open(link)
    } else if (event.target.closest('.sidebar-close') && isOpen()) {
      event.preventDefault()
      close()
    } else if (isOpen() && !event.target.closest('#sidebar')) {
      event.preventDefault()
      close()
    }
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || !isOpen()) return
    event.preventDefault()
    close()
  })
  listen('nocturne:navigated', () => close())
}

function open(link: HTMLElement): void {
  const sidebar = findSidebar()
  if (!sidebar) return
  opener = link
  sidebar.dataset.open = ''
  setInert(true)
  sidebar.querySelector<HTMLElement>('a, button')?.focus()
}

function close(): void {
  const sidebar = findSidebar()
  if (!sidebar || !isOpen()) return
  delete sidebar.dataset.open
  setInert(false)
  if (opener?.isConnected) opener.focus({ preventScroll: true })
  opener = null
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
