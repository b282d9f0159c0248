/**
 * The floors of the program, from the bottom up. A file imports from its own floor and from lower ones, never from a
 * higher one. It belongs to the first floor that has a matching pattern. Patterns of suffixes come before folders: code
 * that also runs in the browser is at the bottom, and calls and pages are above every noun, because a page may show any
 * of them.
 */
export const floors: readonly { name: string; files: readonly string[] }[] = [
  {
    name: 'shapes and rules',
    files: [
      'src/*/**/{rules,schema,fields,*-rules,*-schema,*-words}.ts',
      'src/{urls,console-urls,app-error}.ts',
      'src/{shape,text}/*.ts',
      'src/import/rows/*.ts',
      'src/script/format/*.ts',
      'src/process/{cache,memoize,time-slice}.ts',
    ],
  },
  { name: 'environment', files: ['src/{env,env-schema,env-kinds}.ts', 'src/process/*.ts'] },
  { name: 'database', files: ['db/**/*.ts'] },
  { name: 'browser parts', files: ['src/ui/**/*.{ts,tsx}'] },
  { name: 'security', files: ['src/{security,disk,http-client}/*.ts'] },
  { name: 'web', files: ['src/http/*.ts'] },
  { name: 'files', files: ['src/{storage,sound,audio-format}/*.ts'] },
  { name: 'services', files: ['src/services.ts'] },
  { name: 'request', files: ['src/request/*.{ts,tsx}'] },
  ...[
    ['guideline', 'personal-data', 'picture', 'session', 'site'],
    ['age', 'operator'],
    ['backup', 'example', 'offline', 'story'],
    ['analytics', 'audit', 'feature-flag', 'home', 'job', 'model', 'trending'],
    ['audio-file', 'mail'],
    ['member'],
    ['beta', 'push', 'social'],
    ['notification', 'passkey'],
    ['challenge', 'review'],
    ['listening', 'script'],
    ['narration'],
    ['favorite', 'feed', 'library', 'my-content', 'sign-in', 'user-story'],
    ['demo', 'import', 'moderation', 'selection', 'setup', 'vote'],
  ].map((nouns) => ({
    name: nouns.join(', '),
    files: nouns.map((noun) => `src/${noun}/**/!(api|*-api|pages|*-pages|console|*-console|*-forms).ts`),
  })),
  {
    name: 'components and islands',
    files: ['src/!(server)/**/!(pages|*-pages|console|*-console).tsx', 'islands/**/*.{ts,tsx}'],
  },
  { name: 'calls and pages', files: ['src/!(server)/**/*.{ts,tsx}'] },
  { name: 'program', files: ['src/server/*.{ts,tsx}'] },
  { name: 'commands', files: ['cli/**/*.ts'] },
  { name: 'tools', files: ['scripts/**/*.{ts,tsx}', '{drizzle,uno}.config.ts'] },
]

/**
 * Components and islands run in the browser. From nouns they may import rules and shapes, and the types of a page's
 * data.
 */
export const browserFloor = 'components and islands'
