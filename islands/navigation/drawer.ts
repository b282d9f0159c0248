import { whenAnswered } from '#islands/navigation/press-end'
import { listen } from '#islands/runtime/events'

let opener: HTMLElement | null = null

/**
 * Opens the sidebar as a drawer on small screens. Without this script `#sidebar:target` opens it. The script avoids the
 * history entry, closes the drawer on Esc and on a press outside, and moves the focus into the drawer and back.
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
  // The drawer is painted first, because making the rest of the page inert restyles all of it.
  await whenAnswered()
  if (isOpen()) setInert(true)
}

function close(): void {
  const sidebar = findSidebar()
  if (!sidebar || !isOpen()) return
  delete sidebar.dataset.open
  setInert(false)
  // If the opener has been removed by now, this does nothing.
  opener?.focus({ preventScroll: true })
}

const findSidebar = () => document.getElementById('sidebar')
const isOpen = () => findSidebar()?.dataset.open !== undefined

/**
 * Makes everything except the drawer inert, so that the focus stays inside. The page itself is not inert, because a
 * press outside must still close the drawer.
 */
function setInert(isInert: boolean): void {
  for (const element of document.querySelectorAll<HTMLElement>(
    '.topbar, .tabbar, .main-inner, #player-host',
  )) {
    element.inert = isInert
  }
}
