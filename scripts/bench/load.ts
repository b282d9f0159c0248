import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Load = {
  requestsPerSecond: number
  p50Ms: number
  p95Ms: number
  p99Ms: number
  bytesPerSecond: number
  failures: number
}

/**
 * Loads a URL with wrk for some seconds. `paths` are requested in turn, starting anywhere. Returns null if wrk is not
 * installed, which the report states.
 */
export async function press(
  url: string,
  options: {
    connections?: number
    seconds?: number
    headers?: Record<string, string>
    paths?: readonly string[]
    /** A Lua script for wrk that creates the requests, instead of `paths`. */
    script?: string
  } = {},
): Promise<Load | null> {
  const wrk = Bun.which('wrk')
  if (!wrk) return null
  const { connections = 16, seconds = 5, headers = {}, paths } = options
  const script = join(tmpdir(), `nocturne-bench-${process.pid}.lua`)
  await Bun.write(script, luaOf(options.script ?? askInTurn(paths)))
  const arguments_ = [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '-s',
    script,
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    url,
  ]
  const wrkProcess = Bun.spawn([wrk, ...arguments_], { stdout: 'pipe', stderr: 'inherit' })
  const output = await new Response(wrkProcess.stdout).text()
  await rm(script, { force: true })
  const line = output.match(/^bench (.*)$/m)?.[1]
  if (!line) throw new Error(`wrk said nothing that can be read:\n${output}`)
  return JSON.parse(line)
}

function askInTurn(paths: readonly string[] | undefined): string {
  return paths
    ? `local paths = {${paths.map((path) => JSON.stringify(path)).join(', ')}}\nlocal at = math.random(#paths)\nfunction request() at = at % #paths + 1; return wrk.format("GET", paths[at]) end`
    : ''
}

function luaOf(requests: string): string {
  return `math.randomseed(7)
${requests}
function done(summary, latency, requests)
  local seconds = summary.duration / 1e6
  local failures = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.status + summary.errors.timeout
  io.write(string.format('bench {"requestsPerSecond": %f, "p50Ms": %f, "p95Ms": %f, "p99Ms": %f, "bytesPerSecond": %f, "failures": %d}\\n',
    summary.requests / seconds, latency:percentile(50) / 1e3, latency:percentile(95) / 1e3, latency:percentile(99) / 1e3, summary.bytes / seconds, failures))
end
`
}

/** Runs two loads in turn, several times. Returns the median of the ratios a/b, and the median of each. */
export async function compare(
  a: () => Promise<Load | null>,
  b: () => Promise<Load | null>,
  rounds = 3,
): Promise<{ ratio: number; a: Load; b: Load } | null> {
  const pairs: { ratio: number; a: Load; b: Load }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const [first, second] = [await a(), await b()]
    if (!first || !second) return null
    pairs.push({ a: first, b: second, ratio: first.requestsPerSecond / second.requestsPerSecond })
  }
  return pairs.sort((x, y) => x.ratio - y.ratio)[Math.floor(pairs.length / 2)] ?? null
}
