import type { Page } from 'playwright-core'

/**
 * Presses Esc twice, as a person does who wants to leave. The keys are sent without waiting for the page to handle each:
 * the second one counts only within 600 ms, and a busy page may need longer for the first.
 */
export async function pressEscapeTwice({ keyboard }: Page): Promise<void> {
  const keys = [keyboard.down, keyboard.up, keyboard.down, keyboard.up]
  await Promise.all(keys.map((send) => send.call(keyboard, 'Escape')))
}
