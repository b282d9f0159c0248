/**
 * The error that a promise rejects with; throws where it is fulfilled. It stands for Bun's `expect().rejects`, and
 * `await` for `expect().resolves`: those two run the event loop within the current turn, so that callbacks of
 * setImmediate which were due before wait for those that come later. Playwright sends its messages by them.
 */
export async function rejectionOf(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    () => 'it was fulfilled',
    (reason: unknown) => reason,
  )
  if (outcome instanceof Error) return outcome
  throw new Error(`A promise had to reject with an error: ${outcome}.`)
}
