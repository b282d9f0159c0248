/**
 * Returns the error that a promise rejects with; throws if it is fulfilled. Tests use it instead of Bun's
 * `expect().rejects`, and `await` instead of `expect().resolves`. Those two run the event loop within the current turn,
 * so that callbacks of setImmediate that were due earlier wait for later ones. Playwright sends its messages with them.
 */
export async function rejectionOf(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    () => 'it was fulfilled',
    (reason: unknown) => reason,
  )
  if (outcome instanceof Error) return outcome
  throw new Error(`A promise had to reject with an error: ${outcome}.`)
}
