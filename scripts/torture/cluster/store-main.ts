import { startTestStore } from '#src/storage/testing-s3'
import { introduce } from './own-process'

/** An S3 server. */
const { endpoint, bucket, accessKeyId, secretAccessKey, region } = startTestStore().settings
introduce({
  S3_ENDPOINT: endpoint,
  S3_BUCKET: bucket,
  S3_ACCESS_KEY_ID: accessKeyId,
  S3_SECRET_ACCESS_KEY: secretAccessKey,
  S3_REGION: region,
})
