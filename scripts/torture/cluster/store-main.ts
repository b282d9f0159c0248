import { startTestStore } from '#src/storage/testing-s3'

/** An S3 server as a process of its own, which can be paused. Its first line is how it is reached, as JSON. */
process.stdout.write(`${JSON.stringify(startTestStore().settings)}\n`)
