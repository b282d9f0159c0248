import { join } from 'node:path'

export type Store = {
  environment: Record<string, string>
  /** SIGSTOP: connections are taken, and nothing is answered. */
  pause(): void
  resume(): void
  stop(): Promise<void>
}

export async function startStore(): Promise<Store> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'store-main.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { value } = await child.stdout.getReader().read()
  const { endpoint, bucket, accessKeyId, secretAccessKey, region } = JSON.parse(
    new TextDecoder().decode(value),
  )
  return {
    environment: {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
      S3_REGION: region,
    },
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    async stop() {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}
