import { expect, test } from 'bun:test'
import { isBot } from './sender'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

test.each([
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', true],
  ['Mozilla/5.0 (compatible; GPTBot/1.1; +https://openai.com/gptbot)', true],
  ['Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)', true],
  ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', true],
  [firefox, false],
  ['Mozilla/5.0 (Linux; Android 10; CUBOT X30) Chrome/120.0.0.0 Mobile Safari/537.36', false],
  // Scripts of integrators identify themselves, and may report.
  ['curl/8.5.0', false],
  ['python-requests/2.32.0', false],
  ['okhttp/4.12.0', false],
  ['AntennaPod/3.4.0', false],
])('isBot(%s) is %p', (agent, isMachine) => {
  expect(isBot(new Request('http://localhost/', { headers: { 'user-agent': agent } }))).toBe(isMachine)
})
