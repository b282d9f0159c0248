import { readConsent, storeConsent } from '#islands/analytics/consent'
import { listen } from '#islands/runtime/events'

/**
 * Asks for consent if the site requires it and no answer is stored. On a page with a place for it (Privacy) the answer
 * can be changed. `onChange` receives the answer.
 */
export function startConsentChoice(onChange: (consent: boolean) => void): void {
  const answer = (consent: boolean) => {
    storeConsent(consent)
    document.querySelector('.consent')?.remove()
    showChoice()
    onChange(consent)
  }
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('button[data-consent]') : null
    if (button) answer(button.dataset.consent === 'yes')
  })
  listen('nocturne:navigated', showChoice)
  showChoice()
  if (readConsent() === null) document.body.append(notice())
}

/** Shows the current choice and a button for the other one on the privacy page. */
function showChoice(): void {
  const place = document.querySelector('[data-consent-choice]')
  if (!place) return
  const consent = readConsent()
  place.replaceChildren(
    paragraph(consent ? 'Your visits are counted, as described above.' : 'Your visits are not counted.'),
    button(consent ? 'Do not count my visits' : 'Count my visits', consent ? 'no' : 'yes', 'quiet'),
  )
}

function notice(): HTMLElement {
  const element = Object.assign(document.createElement('section'), { className: 'consent notice' })
  element.setAttribute('aria-label', 'Counting visits')
  const row = Object.assign(document.createElement('div'), { className: 'btn-row' })
  row.append(button('No thanks', 'no', 'quiet'), button('Agree', 'yes', 'quiet'))
  element.append(
    paragraph(
      'May we count which stories are opened and where listening stops? The numbers stay on this site, and you can change your mind on the Privacy page.',
    ),
    row,
  )
  return element
}

function paragraph(text: string): HTMLElement {
  return Object.assign(document.createElement('p'), { textContent: text })
}

function button(text: string, consent: 'yes' | 'no', kind: string): HTMLElement {
  const element = Object.assign(document.createElement('button'), {
    type: 'button',
    textContent: text,
    className: `btn btn-${kind} btn-sm`,
  })
  element.dataset.consent = consent
  return element
}
