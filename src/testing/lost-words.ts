import type { Page } from 'playwright-core'

/** What text of twice the usual size pushes out of the page, and the buttons whose words it cuts off. */
export function findLostWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.documentElement
    const lost: string[] = []
    if (innerWidth > 1000) root.style.fontSize = '200%'
    if (root.scrollWidth > innerWidth) lost.push(`${root.scrollWidth} px wide with large text`)
    for (const button of document.querySelectorAll<HTMLElement>('button, .btn, input'))
      if (button.checkVisibility() && button.clientHeight > 0 && isCut(button))
        lost.push(button.outerHTML.slice(0, 120))
    root.style.fontSize = ''
    return lost

    function isCut(each: HTMLElement): boolean {
      const frame = each.closest('.paper, .size-steps')
      const isOut =
        frame !== null && each.getBoundingClientRect().right > frame.getBoundingClientRect().right + 1
      return isOut || (each.matches('.btn, .size-steps button') && each.scrollHeight > each.clientHeight + 2)
    }
  })
}
