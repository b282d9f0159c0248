import { describe, expect, test } from 'bun:test'
import { readDemo } from '#src/demo/seed'
import { fc } from '#src/testing/properties'
import { compile } from './compile'
import { findHits, hitsMax } from './find-hits'

const keywords = (words: string[], allowed: string[] = []) => compile([{ groups: [words], allowed }])
const found = async (matcher: ReturnType<typeof compile>, text: string) =>
  (await findHits(matcher, text)).map(({ start, end }) => text.slice(start, end))

const own = keywords(['valium', 'asked her twice', 'got him drunk'])

/** A plain word and a plain phrase, in spellings that try to evade a filter. */
const evasions = [
  ...['VALIUM', 'Valium', 'vALiUm', 'valium.', '(valium)', '“valium”', '#valium', 'valium!', '*valium*'],
  ...[
    'ｖａｌｉｕｍ',
    'ＶＡＬＩＵＭ',
    'ｖalium',
    '𝐯𝐚𝐥𝐢𝐮𝐦',
    '𝓿𝓪𝓵𝓲𝓾𝓶',
    '𝕧𝕒𝕝𝕚𝕦𝕞',
    '𝚟𝚊𝚕𝚒𝚞𝚖',
    'ⓥⓐⓛⓘⓤⓜ',
    '🅥🅐🅛🅘🅤🅜',
    'ᵛᵃˡⁱᵘᵐ',
  ],
  ...['válium', 'vàlîüm', 'v̶a̶l̶i̶u̶m̶', 'v́áĺíúḿ', 'vałium', 'vāļīūm', 'va\u0301\u0302\u0303lium', 'välïüm'],
  ...['vаlium', 'vаlіum', 'ναlium', 'vαlιυm', 'ѵаӀіυм', 'ᴠᴀʟɪᴜᴍ', 'valıum', 'Ꮩalium', 'vɑlium', 'vaⅼium'],
  ...[
    'v4lium',
    'v4l1um',
    'va1ium',
    'val!um',
    'v@lium',
    'v@l1um',
    'va|ium',
    'v4|!um',
    '\u200bv4lium',
    'V4L1UM',
  ],
  ...['v a l i u m', 'v  a  l  i  u  m', 'V.A.L.I.U.M.', 'v-a-l-i-u-m', 'v_a_l_i_u_m', 'v/a/l/i/u/m'],
  ...[
    'v\na\nl\ni\nu\nm',
    'v • a • l • i • u • m',
    'val-ium',
    'val_ium',
    'va.li.um',
    'v 4 l 1 u m',
    'v @ l i u m',
  ],
  ...['a v a l i u m', 'v a l\u00a0i u m', 'v a l  i u m', 'v*a*l*i*u*m', 'v·a·l·i·u·m'],
  ...[
    'vaaalium',
    'vvvaaallliiiuuummm',
    'vvaalliiuumm',
    'valiummmm',
    'vaaaal1um',
    'vaalium',
    'vvalium',
    'VALLLIUM',
  ],
  ...[
    'val\u200bium',
    'v\u200ca\u200dl\u2060ium',
    'val\u00adium',
    '\ufeffvalium',
    'va\u034flium',
    'va\u180elium',
  ],
  ...['val\u{e0061}ium', 'va\u3164lium', 'v\u2063a\u2063lium', 'va\u061clium'],
  ...[
    'val i u m',
    'v a lium',
    'va l i um',
    'v a li u m',
    'a val i u m',
    'asked h e r twice',
    'as k e d her twice',
  ],
  ...['vaIium', 'VaIium', 'v4Iium', 'vAIium'],
  ...['v*lium', 'val_um', 'va#ium', 'v•lium', '*v*lium*', 'asked h*r twice', 'V*LIUM'],
  ...[
    'v!a!l!i!u!m',
    'v|a|l|i|u|m',
    'v*lium/night',
    'val\u200b-\u200bium',
    'v\u0301 . \u0301a . l . i . u . m',
  ],
  ...['asked-her-twice', 'ASKED  HER\nTWICE', 'asked… her… twice', 'asked, her, twice', 'asked_her_twice'],
  ...['a s k e d  h e r  t w i c e', 'a s k e d h e r t w i c e', 'áskéd hér twícé', 'askeeed her twice'],
  ...[
    '@sked her tw1ce',
    'asked/her/twice',
    'asked\u200b her\u200b twice',
    'аsked hеr twicе',
    'g0t h1m drunk',
  ],
]

describe('keyword', () => {
  test('is found in more than sixty obfuscated spellings', async () => {
    expect(evasions.length).toBeGreaterThanOrEqual(60)
    for (const text of evasions) {
      expect([text, (await findHits(own, `Then she ${text} and left.`)).length]).not.toEqual([text, 0])
      expect([text, (await findHits(own, text)).length]).not.toEqual([text, 0])
    }
  })

  test.each([
    ['valium', 'the valiumlike, avalium and valiums'],
    ['rape', 'grape, drape, scrape, raped, rapeseed, the therapist'],
    ['ass', 'class, assess, passed, bass, a sss, as'],
    ['cock', 'peacock, cockpit, shuttlecock'],
    ['diner', 'dinner after dinner'],
    ['hoping', 'she was hopping'],
    ['cop', 'a coop, cooop'],
    ['dogs', 'the dog’s and the dog\u0027s'],
    ['the rapist', 'therapist and the therapists'],
    ['grape', 'a, b and c'],
    ['ill', 'I’ll and i-l'],
    ['1984', 'i98a, iggb'],
    ['therapist', 'the rapist, t. h. erapist'],
    ['amuse', 'at five a.m. use it'],
    ['ball', 'BAIL, the BAI of'],
    ['lamb', 'Iamb and Iambs'],
    ['lot', 'the IoT'],
    ['rape', '*ape*, r**e, r-pe, r.pe, the r*a*p e*s, rap_'],
    ['via', 'v*a*l*i*u*m'],
    ['sal*', '$5 a lesson'],
    ['att*', 'At 7 o’clock'],
    ['ass', 'a $5 bill'],
  ])('%p is not matched in %p', async (word, text) => {
    expect(await found(keywords([word]), text)).toEqual([])
  })

  test('is not matched with repeated letters when shorter than four', async () => {
    expect(await found(keywords(['ass']), 'asssss')).toEqual([])
    expect(await found(keywords(['kiss']), 'kiiiss')).toEqual(['kiiiss'])
  })

  test('matches longer words only with a trailing *', async () => {
    const stem = keywords(['medic*'])
    expect(await found(stem, 'medic, medicine, MÉDICAL, paramedic, med1cine, m e d i c i n e')).toEqual([
      'medic',
      'medicine',
      'MÉDICAL',
      'med1cine',
      'm e d i c i n e',
    ])
    expect(await found(keywords(['medic']), 'medicine')).toEqual([])
  })

  test('is located in the original text by offset and word', async () => {
    const text = '👩‍👩‍👧 “É” v\u200ba\u0301lium\u200b; then ﬁve.'
    const [hit] = await findHits(own, text)
    expect(hit).toMatchObject({ phrase: 'valium', firstWord: 2, lastWord: 2 })
    expect(text.slice(hit?.start, hit?.end)).toBe('v\u200ba\u0301lium')
  })

  test('is found in scripts without spaces and in other alphabets', async () => {
    expect(await found(keywords(['禁止']), 'これは禁止です')).toEqual(['禁止'])
    expect(await found(keywords(['запрет']), 'Это Запрет, а не запретный')).toEqual(['Запрет'])
    expect(await found(keywords(['ممنوع']), 'هذا مَمنوع هنا')).toEqual(['مَمنوع'])
  })

  test('is found when exclamation marks stand beside a look-alike of its letter', async () => {
    expect(await found(keywords(['light']), '“!igh+!” and “l|gh+!!”')).toEqual(['!igh+', 'l|gh+'])
  })

  test('is ignored inside an allowed phrase and found beside it', async () => {
    const some = keywords(['lamp'], ['street lamp', 'lamp post'])
    expect(await found(some, 'A street lamp, a lamp-post, a l a m p, LAMP.')).toEqual(['l a m p', 'LAMP'])
  })
})

describe('rule with two groups of words', () => {
  const near = compile([{ groups: [['lamp'], ['dark', 'night']], withinWords: 3, allowed: ['dark blue'] }])
  test('matches when both occur close together, in either order', async () => {
    expect(await found(near, 'The lamp in the dark. And after a while: night without a lamp.')).toEqual([
      'lamp in the dark',
      'night without a lamp',
    ])
    expect(await found(near, 'The lamp was far, far away from the dark')).toEqual([])
    expect(await found(near, 'a dark blue lamp')).toEqual([])
  })

  test('matches in the given order only when it is ordered', async () => {
    const ordered = compile([{ groups: [['lamp'], ['dark']], withinWords: 3, isOrdered: true, allowed: [] }])
    expect(await found(ordered, 'dark lamp')).toEqual([])
    expect(await found(ordered, 'lamp dark')).toEqual(['lamp dark'])
  })
})

test('a hundred short fragments match only whole words in the demo library', async () => {
  const fragments =
    'ass cum tit rape anal cock sex con hell tan her art ate eat ear rat and ant hat ran tar age cat can man men ten pen pin tin rim rum sin son sun ill all owl low own win won one two tea sea see bee fee lee pee ape nip lip hip tip sip rip ripe pass mass lass bass grass butt pus hook rook cook nag fag spic chin chink gook coon dyke homo slut hoe pimp damn hel nud kin kink kill stab gun war die dead drug hash weed pot coke crack meth rap stud bang blow suck lick unit over under ring king'.split(
      ' ',
    )
  expect(fragments.length).toBeGreaterThanOrEqual(100)
  const matcher = compile(fragments.map((each) => ({ groups: [[each]], allowed: [] })))
  for (const { content } of [...readDemo('story'), ...readDemo('flow')]) {
    for (const { start, end, phrase } of await findHits(matcher, content)) {
      expect(content.slice(start, end).toLowerCase()).toBe(phrase)
      expect(content.slice(start - 1, start)).not.toMatch(/[a-z]/i)
      expect(content.slice(end, end + 1)).not.toMatch(/[a-z]/i)
    }
  }
})

test('hits lie within the text and below the limit for any input', async () => {
  const matcher = keywords(['a', 'b c', 'abc*', 'valium', '禁'], ['a a'])
  const odd = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.string({ unit: fc.constantFrom(...'abc 1@!-.\u200b\u0301禁👩'), maxLength: 200 }),
  )
  await fc.assert(
    fc.asyncProperty(odd, async (text) => {
      const hits = await findHits(matcher, text)
      expect(hits.length).toBeLessThanOrEqual(hitsMax)
      for (const { start, end } of hits) {
        expect(start).toBeGreaterThanOrEqual(0)
        expect(end).toBeGreaterThan(start)
        expect(end).toBeLessThanOrEqual(text.length)
      }
    }),
    { numRuns: 400 },
  )
})

test('a phrase is found once at any position in a text read in chunks', async () => {
  const phrase = 'v-a-l-i-u-m and asked her twice'
  const filler = 'the lamp-light w4ited; '
  const words = 4
  for (const before of [0, 1, 1_750, 1_999, 2_000, 2_001, 2_249, 2_250, 2_849, 2_850, 4_000, 5_698, 9_000]) {
    const text = `${filler.repeat(before)}${phrase} ${filler.repeat(4_000)}`
    const hits = await findHits(own, text)
    expect(hits.map(({ start, end }) => text.slice(start, end))).toEqual(['v-a-l-i-u-m', 'asked her twice'])
    expect(hits.map(({ firstWord }) => firstWord)).toEqual([before * words + 1, before * words + 8])
  }
  const everywhere = await findHits(own, 'valium '.repeat(20_000))
  expect(everywhere).toHaveLength(hitsMax)
})
