import { expect, test } from 'bun:test'
import { ownWords } from './why'

test.each([
  [0, 'Nobody has stayed with it in the last 7 days.'],
  [1, 'Somebody stayed with it once in the last 7 days.'],
  [1_200, 'Somebody stayed with it 1,200 times in the last 7 days.'],
])('%d views are put into words', (views, words) => {
  const item = { views, upvotes: 0, downvotes: 0, totalRatings: 0, rating: 0 }
  expect(ownWords(item, '7d')).toStartWith(words)
})
