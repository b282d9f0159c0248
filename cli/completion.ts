import { type ArgDef, type ArgsDef, type CommandDef, defineCommand } from 'citty'
import { choose } from '#cli/choose'
import { resolve } from '#cli/find-command'
import { type Entry, listCommands } from '#cli/help'
import { printFile } from '#cli/output'
import { choiceOf, takesFile, valuesOf } from '#cli/value-hints'

/** Output that makes the shell complete file names itself, because it knows them better. */
const filesLine = ':files\n'

/** The completion scripts. They call `nocturne completion words` at each Tab, so they are never outdated. */
const scripts = {
  // Bash completes the part after "=" as a word of its own. Version 3.2, which macOS has, lacks compopt.
  bash: `_nocturne() {
  local IFS=$'\\n'
  COMPREPLY=($(nocturne completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
  COMPREPLY=("\${COMPREPLY[@]#--*=}")
  if [[ \${COMPREPLY[0]} == :files ]]; then
    COMPREPLY=()
    compopt -o default 2>/dev/null || COMPREPLY=($(compgen -f -- "$2"))
  fi
}
complete -F _nocturne nocturne
`,
  // Works at the end of .zshrc, and as a file _nocturne in a folder of $fpath, where the first Tab calls the file
  // itself.
  zsh: `#compdef nocturne
_nocturne() {
  local -a found
  found=("\${(@f)$(nocturne completion words -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ $found[1] == :files ]]; then compset -P '--*='; _files
  elif [[ -n $found[1] ]]; then found=("\${(@)found/$'\\t'/:}"); _describe nocturne found
  else return 1
  fi
}
if [[ $funcstack[1] == _nocturne ]]; then
  _nocturne "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _nocturne nocturne
fi
`,
  fish: `function __nocturne_words
  set -l begun (commandline -ct)
  set -l found (nocturne completion words -- (commandline -opc)[2..] "$begun" 2>/dev/null)
  if test "$found" = :files
    set -l head (string match -r '^--[^=]*=' -- $begun)
    printf '%s\\n' "$head"(__fish_complete_path (string replace -- "$head" '' $begun))
  else
    printf '%s\\n' $found
  end
end
complete -c nocturne -f -a '(__nocturne_words)'
`,
}

/** Defines `nocturne completion`. `findMain` returns the main command, which this one is part of. */
export const completionOf = (findMain: () => CommandDef) =>
  defineCommand({
    meta: {
      name: 'completion',
      description:
        'Prints the script with which a shell completes commands and options: bash, zsh, fish. Examples: nocturne completion bash >> ~/.bashrc · nocturne completion zsh >> ~/.zshrc · nocturne completion fish > ~/.config/fish/completions/nocturne.fish',
    },
    args: {
      shell: {
        type: 'positional',
        ...choiceOf(Object.keys(scripts), `${Object.keys(scripts).join(', ')}; a shell asks with "words"`),
      },
      'words…': { type: 'positional', description: 'The words typed so far', required: false },
    },
    run: async ({ args }) => {
      const asked = choose('shell', ['bash', 'zsh', 'fish', 'words'] as const, String(args.shell))
      const lines =
        asked === 'words'
          ? await listCompletions(findMain(), args._.slice(1))
          : scripts[asked].split(/(?<=\n)/)
      await printFile(lines.join(''))
    },
  })

/**
 * Lists what the last word can be completed to, one per line: the word, a tab, its meaning. Only `:files` for file
 * names.
 */
export async function listCompletions(main: CommandDef, typed: readonly string[]): Promise<string[]> {
  const words = joinValues(typed)
  const last = words.pop() ?? ''
  const { command, given } = await findBegun(main, words)
  const args: ArgsDef = (await resolve(command.args)) ?? {}
  const [head = '', named] = /^(--[^=]+)=/.exec(last) ?? []
  const option = valueOption(args, named ?? given.at(-1))
  if (!option && head) return []
  if (!option && last.startsWith('-')) return linesOf(optionsLeft(args, given), last)
  if (!option && command.subCommands) return linesOf(await listCommands(command), last)
  const arg = option ?? placeOf(args, given)
  if (!arg) return []
  if (takesFile(arg)) return [filesLine]
  return linesOf(
    valuesOf(arg).map((value) => ({ name: `${head}${value}`, text: '' })),
    last,
  )
}

/** Joins an option with its value again: Bash splits "--status=draft" into three words. */
function joinValues(typed: readonly string[]): string[] {
  const words: string[] = []
  for (const word of typed) {
    const before = words.at(-1) ?? ''
    const goesOn = word === '=' ? before.startsWith('--') : /^--[^=]+=$/.test(before)
    words.push(goesOn ? `${words.pop()}${word}` : word)
  }
  return words
}

/** Returns the command that the words lead to, and the words that are its arguments. */
async function findBegun(main: CommandDef, words: readonly string[]) {
  let command = main
  const given: string[] = []
  for (const word of words) {
    const all = (await resolve(command.subCommands)) ?? {}
    const next = Object.hasOwn(all, word) ? all[word] : undefined
    if (next) command = await resolve(next)
    else given.push(word)
  }
  return { command, given }
}

/** Returns the option that a word names, if the option takes the next word as its value. */
function valueOption(args: ArgsDef, word = ''): ArgDef | undefined {
  const name = word.startsWith('--') ? word.slice(2) : ''
  const arg = Object.hasOwn(args, name) ? args[name] : undefined
  return arg?.type === 'string' ? arg : undefined
}

function optionsLeft(args: ArgsDef, given: readonly string[]): Entry[] {
  const own = Object.entries(args).flatMap(([name, { type, description = '' }]) =>
    type === 'positional' ? [] : [{ name: `--${name}`, text: description }],
  )
  const all = [...own, { name: '--help', text: 'What it does, what it takes, and an example' }]
  return all.filter(({ name }) => !given.includes(name))
}

/** Returns the positional argument that the next word would be. */
function placeOf(args: ArgsDef, given: readonly string[]): ArgDef | undefined {
  const places = Object.entries(args).filter(([, { type }]) => type === 'positional')
  const taken = given.filter((word, at) => !word.startsWith('--') && !valueOption(args, given[at - 1]))
  const [, place] = places[taken.length] ?? places.find(([name]) => name.endsWith('…')) ?? []
  return place
}

function linesOf(entries: readonly Entry[], begun: string): string[] {
  return entries.flatMap(({ name, text }) => (name.startsWith(begun) ? [`${name}\t${text}\n`] : []))
}
