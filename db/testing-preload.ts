import { afterAll } from 'bun:test'
import { stopTestCluster } from './testing'

/** bunfig.toml preloads this file for every `bun test`; an afterAll at this place runs once, after all files. */
afterAll(stopTestCluster)
