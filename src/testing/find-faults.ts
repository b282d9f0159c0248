import axe from 'axe-core'
import type { Page } from 'playwright-core'

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Returns axe's findings on a page as sentences: for some rules (`color-contrast`) or for WCAG 2.2 AA. */
export async function findBarriers(page: Page, runOnly: readonly string[] = standards): Promise<string[]> {
  // The page's policy allows no injected script, but does not apply to the driver. Axe stays in the page: parsing its
  // half megabyte takes as long as a run.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  await page.evaluate(finishTransitions)
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'], preload: false })
  return page.evaluate<string[]>(`axe.run(${options}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')))`)
}

/**
 * Ends transitions, since a colour in between is neither the first nor the last: a button that has just been enabled is
 * still pale.
 */
function finishTransitions(): void {
  for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish()
}

/**
 * Finds the faults of a page, wide and narrow, in the dark and the paper theme: accessibility violations, horizontal
 * scrolling, lines that end in a separator, and motion despite reduced motion.
 * `SHOTS=folder` stores a picture of each variant. The page is left wide and dark.
 */
export async function findFaults(page: Page, name = new URL(page.url()).pathname): Promise<string[]> {
  const faults: string[] = []
  // Reduced motion turns off transitions of colours.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 800 })
    const lost = await findLostWords(page, { isTextLarge: true })
    faults.push(...lost.map((lost) => `${name} at ${width} px, large text: ${lost}`))
  }
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    const needed = await page.evaluate(() => document.documentElement.scrollWidth)
    if (needed > width) faults.push(`${name}: ${needed} px wide at ${width}`)
    faults.push(...(await findLostWords(page)).map((lost) => `${name} at ${width} px: ${lost}`))
    faults.push(...(await findLinesThatEndInDots(page)).map((line) => `${name} at ${width} px: ${line}`))
    const nameless = await page.evaluate(countNamelessRows)
    if (nameless > 0) faults.push(`${name}: ${nameless} rows of tables have no header`)
    const cards = await page.evaluate(() => document.querySelectorAll('a:has(p)').length)
    if (cards > 0) faults.push(`${name}: ${cards} links have a paragraph as their name`)
    const moving = await page.evaluate(() => document.getAnimations().length)
    if (moving > 0)
      faults.push(`${name}: ${moving} animations run at ${width}, though less motion was asked for`)
    // The viewport is as tall as the page. Otherwise a bar at its edge could cover half of a button, whose target would
    // be too small for axe.
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    await page.setViewportSize({ width, height: Math.max(800, height) })
    // Changing the theme renders the whole page again, so each width begins with the present theme.
    for (const theme of width === 320 ? ['dark', 'paper'] : ['paper', 'dark']) {
      await page.evaluate((theme) => Object.assign(document.documentElement.dataset, { theme }), theme)
      const look = `${name} at ${width} px, ${theme}`
      // The only axe rule that depends on the theme is contrast.
      const barriers = await findBarriers(page, theme === 'dark' ? standards : ['color-contrast'])
      faults.push(...barriers.map((barrier) => `${look}: ${barrier}`))
      const path = `${process.env.SHOTS}/${name.replace(/\W+/g, '-')}-${width}-${theme}.png`
      if (process.env.SHOTS) await page.screenshot({ path, fullPage: true })
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  return faults
}

/**
 * Counts table rows without a row header, which screen readers read with each cell. The row below a refused one belongs
 * to it and needs none.
 */
function countNamelessRows(): number {
  return document.querySelectorAll('.table-stack tbody tr:not(.fix):not(:has(th[scope=row]))').length
}

/**
 * Finds what sticks out of the page, its sheet of paper, its row or its bar, and buttons whose words are cut off.
 * `isTextLarge` doubles the text size.
 */
export function findLostWords(page: Page, { isTextLarge = false } = {}): Promise<string[]> {
  return page.evaluate((isTextLarge) => {
    const root = document.documentElement
    const lost: string[] = []
    if (isTextLarge) root.style.fontSize = '200%'
    const widest = [...document.body.querySelectorAll('*')].findLast(
      (each) => Math.ceil(each.getBoundingClientRect().right) >= root.scrollWidth,
    )
    if (root.scrollWidth > innerWidth)
      lost.push(`${root.scrollWidth} px wide: ${widest?.outerHTML.slice(0, 120)}`)
    const held = 'button, .btn, .icon-btn, input, .segment > *, .player-words > *, .player-time > *'
    for (const button of document.querySelectorAll<HTMLElement>(held))
      if (button.checkVisibility() && button.clientHeight > 0 && isCut(button))
        lost.push(button.outerHTML.slice(0, 120))
    for (const row of document.querySelectorAll('.meta-row, .cover-link'))
      for (const words of row.children) if (isClipped(words, row)) lost.push(words.outerHTML.slice(0, 120))
    root.style.fontSize = ''
    return lost

    function isClipped(words: Element, row: Element): boolean {
      const isOut = words.getBoundingClientRect().right > row.getBoundingClientRect().right + 1
      return isOut || (words.matches('.title-sm') && words.scrollHeight > words.clientHeight + 2)
    }

    function isCut(each: HTMLElement): boolean {
      const frames = '.paper, .size-steps, .reader-bar, .segment, .player'
      const [place, frame] = [each, each.closest(frames)].map((box) => box?.getBoundingClientRect())
      // The slider of a short bar is on its upper edge.
      const isAbove = place && frame && place.top < frame.top - 1 && !each.matches('.slider, .slider *')
      const isOut = place && frame && (place.right > frame.right + 1 || place.bottom > frame.bottom + 1)
      return (
        isAbove ||
        isOut ||
        (each.matches('.btn, .size-steps button') && each.scrollHeight > each.clientHeight + 2)
      )
    }
  }, isTextLarge)
}

/**
 * Finds lines that end in the dot between two facts, while the next fact is on the next line. The dot is drawn by CSS,
 * or is text.
 */
function findLinesThatEndInDots(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    for (const each of document.querySelectorAll('*')) {
      const next = each.nextElementSibling
      if (next && getComputedStyle(each, '::after').content === '"·"')
        compare(each.getBoundingClientRect(), next.getBoundingClientRect(), each.textContent ?? '')
    }
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    let dot: { place: DOMRect; words: string } | null = null
    while (texts.nextNode()) {
      const words = texts.currentNode.textContent ?? ''
      if (dot === null && !words.includes('·')) continue
      for (const { 0: character, index } of words.matchAll(/\S/g)) {
        if (dot) compare(dot.place, placeOf(texts.currentNode, index), dot.words)
        const isDot = character === '·' && !/\S/.test(words.charAt(index - 1) + words.charAt(index + 1))
        dot = isDot ? { place: placeOf(texts.currentNode, index), words } : null
      }
    }
    return found

    function placeOf(node: Node, index: number): DOMRect {
      const range = document.createRange()
      range.setStart(node, index)
      range.setEnd(node, index + 1)
      return range.getBoundingClientRect()
    }

    function compare(place: DOMRect, next: DOMRect, words: string): void {
      if (place.width > 0 && next.width > 0 && next.top >= place.bottom)
        found.push(`a line ends in a dot: ${words.trim().slice(0, 80)}`)
    }
  })
}
