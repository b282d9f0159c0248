import type { Pattern } from './compile'

/**
 * Version of the built-in rules, which every adult platform must have. They are code, so no setting can turn them off.
 * Increase the version when a list changes: the library is then scanned again.
 */
export const builtInVersion = 2

export type BuiltInRule = { id: string; description: string; patterns: Pattern[] }

/** Two groups close to each other. Ordinary stories contain children, sisters and dogs, so most rules need this. */
const near = (withinWords: number, groups: [string[], string[]], allowed: string[] = []): Pattern => ({
  groups,
  withinWords,
  allowed,
})
const inOrder = (withinWords: number, groups: [string[], string[]], allowed: string[] = []): Pattern => ({
  groups,
  withinWords,
  isOrdered: true,
  allowed,
})
const any = (...phrases: string[]): Pattern => ({ groups: [phrases], allowed: [] })

const acts = [
  ...['sex', 'sexual', 'sexually', 'intercourse', 'orgasm*', 'masturbat*', 'fuck*', 'penetrat*', 'blowjob*'],
  ...['make love', 'made love', 'making love', 'molest*', 'fondl*', 'foreplay'],
]
const sexual = [
  ...acts,
  ...['nude', 'nudes', 'nudity', 'naked', 'porn*', 'erotic*', 'arous*', 'horny', 'seduc*', 'fetish*'],
  ...['lust*', 'nsfw', 'strip tease', 'striptease', 'lingerie', 'kinky', 'sexy'],
]
/** Phrases that the other person follows. */
const actsWith = [
  ...['sex with', 'made love to', 'made love with', 'make love to', 'make love with', 'making love to'],
  ...['making love with', 'fuck', 'fucked', 'fucking', 'seduce', 'seduced', 'seducing', 'naked with'],
  ...['intercourse with', 'sexual with', 'sleeping naked with', 'fucked by', 'seduced by'],
]

const numbers = [
  ...['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
  ...['thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen'],
]
const agesUnder18 = [...numbers, ...numbers.map((_, at) => String(at + 1))].flatMap((age) => [
  `${age} year old`,
  `${age} years old`,
  `${age} year olds`,
  `${age} yr old`,
  `${age} yo`,
  `${age}yo`,
  `aged ${age}`,
  `age of ${age}`,
])
const tens = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
const things = [
  ...['whisky', 'whiskey', 'scotch', 'malt', 'rum', 'port', 'wine', 'bottle', 'marriage', 'relationship'],
  ...['friendship', 'promise', 'habit', 'car', 'house', 'sofa', 'letter', 'scar', 'quarrel', 'argument'],
]
/** Ages that do not count: "forty-two years old" is not two, and a bottle may be of any age. */
const otherAges = [
  ...tens.flatMap((ten) => agesUnder18.map((age) => `${ten} ${age}`)),
  ...agesUnder18
    .filter((age) => age.endsWith('year old'))
    .flatMap((age) => things.map((thing) => `${age} ${thing}`)),
]
/** Words that name a minor in every use. */
const plainlyMinors = [
  ...[
    'underage',
    'under age',
    'underaged',
    'preteen*',
    'pre teen',
    'pre teens',
    'tween',
    'tweens',
    'jailbait',
  ],
  ...['schoolgirl*', 'schoolboy*', 'school girl', 'school girls', 'school boy', 'school boys', 'toddler*'],
  ...['prepubescent', 'pubescent', 'child like body', 'little kid', 'little kids', 'young child'],
  ...['young children', 'elementary school', 'grade school', 'middle school', 'primary school'],
  ...['schoolchild*', 'schoolkid*', 'school pupil*', 'school student*', 'sixth former*'],
  ...['high schooler*', 'school uniform*', 'not yet eighteen', 'under eighteen', 'under 18'],
]
/** Words that have other uses, or occur beside adults in ordinary stories. */
const perhapsMinors = [
  ...['child', 'children', 'kid', 'kids', 'minor', 'minors', 'teen', 'teens', 'teenage', 'teenager'],
  ...['teenagers', 'adolescent*', 'infant*', 'juvenile*', 'little girl', 'little girls', 'little boy'],
  ...['little boys', 'young girl', 'young girls', 'young boy', 'young boys', 'high school'],
]
/** Pupils at a school, in phrases that cannot mean the pupils of an eye. */
const pupils = [
  ...['a pupil', 'pupil of the', 'pupil at', 'pupils at', 'my pupil', 'her pupil', 'his pupil'],
  ...['naughty pupil*', 'naughty student*', 'teacher s pet', 'play school', 'playing school', 'in detention'],
]
const similes = ['like', 'as giddy as', 'as shy as', 'as nervous as'].flatMap((like) =>
  ['a child', 'children', 'a kid', 'kids', 'a teenager', 'teenagers', 'two teenagers'].map(
    (whom) => `${like} ${whom}`,
  ),
)

const family = [
  ...['sister', 'brother', 'mother', 'father', 'daughter', 'son', 'mom', 'mum', 'dad', 'uncle', 'aunt'],
  ...['niece', 'nephew', 'grandmother', 'grandfather', 'sibling', 'stepsister', 'stepbrother', 'stepmother'],
  ...['stepfather', 'stepdaughter', 'stepson', 'stepmom', 'stepdad', 'half sister', 'half brother'],
]
const animals = [
  ...['dog', 'dogs', 'horse', 'horses', 'stallion', 'goat', 'goats', 'sheep', 'pony', 'donkey', 'pig'],
  ...['an animal', 'the animal', 'animals'],
]
/** Possessive forms: "with his sister's friend" is about the friend. */
const possessives = (words: readonly string[]) => words.map((word) => `${word} s`)

export const builtInRules: readonly BuiltInRule[] = [
  {
    id: 'built-in:minors',
    description: 'Everyone is an adult, and nothing sexual is near a child, a pupil or a game of being one.',
    patterns: [
      any(
        ...['child porn*', 'childporn*', 'kiddie porn*', 'teen porn*', 'cp porn', 'lolicon*', 'shotacon*'],
        ...['pedophil*', 'paedophil*', 'age play', 'ageplay', 'jailbait', 'barely legal', 'child bride*'],
        ...['underage sex', 'sex with minors', 'sexualised child', 'sexualized child', 'child lover*'],
      ),
      near(12, [[...plainlyMinors, ...agesUnder18], sexual], otherAges),
      near(3, [perhapsMinors, sexual], similes),
      near(6, [pupils, sexual]),
    ],
  },
  {
    id: 'built-in:real-persons',
    description: 'No real persons without their consent.',
    patterns: [
      any(
        ...['revenge porn*', 'deepfake porn*', 'deep fake porn*', 'porn deepfake*', 'celebrity porn*'],
        ...['celebrity sex tape*', 'leaked nudes', 'leaked nude', 'leaked sex tape*', 'stolen nudes'],
        ...['fake nudes', 'nudify', 'upskirt*', 'creepshot*'],
      ),
      near(8, [
        ['deepfake*', 'deep fake*', 'hidden camera*', 'spy camera*', 'secretly filmed', 'secretly recorded'],
        sexual,
      ]),
    ],
  },
  {
    id: 'built-in:non-consent',
    description: 'Nothing without consent is shown as real.',
    patterns: [
      any(
        ...['raped her', 'raped him', 'raped me', 'raped them', 'raping her', 'raping him', 'raping me'],
        ...['rapes her', 'rapes him', 'rape her', 'rape him', 'real rape', 'actual rape', 'rape video*'],
        ...['forced himself on her', 'forced himself on him', 'forced himself on me'],
        ...['forced herself on him', 'forced herself on her', 'forced herself on me'],
        ...['nonconsensual sex', 'non consensual sex', 'noncon sex', 'date rape*', 'gang rape*'],
      ),
      near(8, [
        [
          ...['without her consent', 'without his consent', 'without consent', 'without their consent'],
          ...['nonconsensual', 'non consensual', 'noncon', 'passed out', 'unconscious', 'drugged', 'roofied'],
          ...['against her will', 'against his will', 'while she slept', 'while he slept', 'rape', 'raped'],
        ],
        acts,
      ]),
    ],
  },
  {
    id: 'built-in:trafficking',
    description: 'No trafficking.',
    patterns: [
      any(
        ...['sex traffick*', 'sexual slavery', 'forced prostitution', 'forced into prostitution'],
        ...['sold into prostitution', 'sold to a brothel', 'sold into a brothel', 'trafficked for sex'],
        ...['trafficked girl*', 'trafficked women', 'trafficked woman'],
      ),
      near(8, [
        ['trafficked', 'trafficker*', 'human trafficking', 'smuggled women', 'smuggled girls'],
        sexual,
      ]),
    ],
  },
  {
    id: 'built-in:animals',
    description: 'No animals.',
    patterns: [
      any('bestiality', 'beastiality', 'zoophil*', 'animal sex', 'animal porn*', 'dog sex', 'horse sex'),
      inOrder(2, [actsWith, animals], possessives(animals)),
    ],
  },
  {
    id: 'built-in:incest',
    description: 'No incest.',
    patterns: [
      any('incest', 'incestuous', 'incestual', 'incest*'),
      inOrder(2, [actsWith, family], possessives(family)),
      near(3, [
        ['sex', 'sexual', 'lover', 'lovers'],
        ['brother and sister', 'sister and brother', 'father and daughter', 'mother and son'],
      ]),
    ],
  },
  {
    id: 'built-in:harm',
    description: 'No instructions for harm.',
    patterns: [
      inOrder(6, [
        ['how to', 'instructions for', 'instructions to', 'recipe for', 'guide to', 'steps to', 'ways to'],
        [
          ...['make a bomb', 'build a bomb', 'pipe bomb*', 'make explosives', 'nerve agent*', 'make ricin'],
          ...['kill yourself', 'commit suicide', 'date rape drug*', 'rape someone', 'rape a woman'],
          ...[
            'groom a child',
            'groom children',
            'groom a minor',
            'drug her',
            'drug someone',
            'spike her drink',
          ],
        ],
      ]),
    ],
  },
]
