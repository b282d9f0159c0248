import { expect, test } from 'bun:test'
import { openings } from '#db/schema'
import { publishTestItem, testApp } from '#src/testing/app'
import { describeConversion } from './insight'

const { services } = await testApp()
const { db } = services

test('reaching the free limit is counted per visitor, not per shared address', async () => {
  const items = [await publishTestItem(services), await publishTestItem(services, { title: 'The Boat' })]
  const open = (readerId: string) =>
    db.insert(openings).values(items.map(({ id }) => ({ readerId, storyId: id })))
  await open('address:of-an-office')
  expect(await describeConversion(db, 2)).toMatchObject({ days: 30, atLimit: 0 })
  await open('a visitor')
  expect(await describeConversion(db, 2)).toMatchObject({ atLimit: 1 })
})
