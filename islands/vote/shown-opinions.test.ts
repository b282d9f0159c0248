import { expect, test } from 'bun:test'
import { getDefaultStore } from 'jotai'
import { createShownOpinions } from '#islands/vote/shown-opinions'

/** A server that answers when the test says so, and records what it received, in order. */
function openServer() {
  const sent: { stars: number; answer: (is: 'saved' | 'lost') => void }[] = []
  const send = (stars: number) => () =>
    new Promise<number>((resolve, reject) => {
      sent.push({ stars, answer: (is) => (is === 'saved' ? resolve(stars) : reject(new Error('Lost.'))) })
    })
  return { sent, send }
}

const settled = () => new Promise((resolve) => setTimeout(resolve))

test('two quick changes are sent in order, and the last one is shown throughout', async () => {
  const { sent, send } = openServer()
  const { shownAtom, change } = createShownOpinions<number>()
  const shown = () => getDefaultStore().get(shownAtom)
  const first = change('ferry', { before: 0, shown: 3, send: send(3) })
  const second = change('ferry', { before: 3, shown: 5, send: send(5) })
  await settled()
  expect(sent.map(({ stars }) => stars)).toEqual([3])
  sent[0]?.answer('saved')
  await first
  expect(shown()).toEqual({ ferry: 5 })
  await settled()
  expect(sent.map(({ stars }) => stars)).toEqual([3, 5])
  sent[1]?.answer('saved')
  await second
  expect(shown()).toEqual({ ferry: 5 })
})

test('the server’s value from before the first change is shown when all changes fail', async () => {
  const { sent, send } = openServer()
  const { shownAtom, change } = createShownOpinions<number>()
  const shown = () => getDefaultStore().get(shownAtom)
  const lost = [
    change('ferry', { before: 1, shown: 3, send: send(3) }).catch(String),
    change('ferry', { before: 3, shown: 5, send: send(5) }).catch(String),
  ]
  for (const at of [0, 1]) {
    await settled()
    sent[at]?.answer('lost')
  }
  // The last change reports the failure for both.
  expect(await Promise.all(lost)).toEqual([undefined, 'Error: Lost.'])
  expect(shown()).toEqual({ ferry: 1 })
})

test('a change that the next one does not replace reports its own failure', async () => {
  const { sent, send } = openServer()
  const { change } = createShownOpinions<number>()
  const comment = change('ferry', { before: 1, shown: null, send: send(3), isReplaced: false }).catch(String)
  const stars = change('ferry', { before: 1, shown: 5, send: send(5) })
  await settled()
  sent[0]?.answer('lost')
  expect(await comment).toBe('Error: Lost.')
  await settled()
  sent[1]?.answer('saved')
  await stars
})
