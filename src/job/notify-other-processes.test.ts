import { expect, test } from 'bun:test'
import { openDatabase } from '#db/db'
import { testDatabaseUrl } from '#db/testing'
import { createLog } from '#src/process/log'
import { until } from '#src/testing/until'
import { listenToOtherProcesses, notifyOtherProcesses } from './notify-other-processes'
import { notifyWorkers, onJobQueued } from './notify-workers'

test('workers are notified of a job that another process has queued', async () => {
  const url = await testDatabaseUrl()
  const [first, second] = [openDatabase(url, { max: 1 }), openDatabase(url, { max: 1 })]
  let looks = 0
  const forget = onJobQueued(() => {
    looks += 1
  })
  await listenToOtherProcesses(first)
  expect(looks).toBe(1)
  forget()
  // Both processes are this one here: the waiter is registered only after the notification was sent.
  const telling = notifyOtherProcesses({ db: second, log: createLog('error') })
  notifyWorkers()
  await telling.stop()
  const forgetAgain = onJobQueued(() => {
    looks += 1
  })
  await until(() => looks === 2)
  forgetAgain()
  await Promise.all([first.close(), second.close()])
})
