import { Type } from 'typebox'
import { account, address, amount, integer, list, oneOf, onOff, secret, text, voices } from '#src/env-kinds'
import { narratorOfVoice, narratorsOf, voiceProviders } from '#src/narration/rules'

export const siteNameDefault = 'Nocturne'

/**
 * Every environment variable: its property in `Env`, its name, type, default and limits, and its description in the
 * README, in the README's order. An object with `incomplete` needs all of its variables without a default, or none of
 * them; with none it is undefined.
 */
export const envSchema = Type.Object({
  port: integer('PORT', 'the port to listen on', { default: 3_000, minimum: 0, maximum: 65_535 }),
  host: text('HOST', 'the address to listen on', { default: '0.0.0.0' }),
  processes: text('PROCESSES', 'the number of processes that share the port (Linux only)', {
    pattern: '^(auto|[1-9]\\d?)$',
    takes: 'a number up to 99, or auto: one a core',
    default: '1',
  }),
  publicUrl: Type.Optional(
    text('PUBLIC_URL', 'the public origin of the site', {
      format: 'origin',
      takes: 'an origin alone, without a path, such as https://stories.example.com',
      unset: '`http://localhost:PORT`',
    }),
  ),
  allowedHosts: list(
    'ALLOWED_HOSTS',
    'additional host names to accept',
    'host name',
    'host names without a port, such as stories.example.com',
  ),
  trustProxy: list(
    'TRUST_PROXY',
    'the networks of your reverse proxy, whose `X-Forwarded-For` is trusted; without it, all its clients count as one visitor',
    'network',
    'networks such as 10.0.0.0/8',
  ),
  s3: Type.Optional(
    Type.Object(
      {
        endpoint: address('S3_ENDPOINT', 'an S3-compatible store for audio', 'https://s3.example.com', {
          unset: 'files under `DATA_DIR`',
        }),
        bucket: text('S3_BUCKET', 'the bucket'),
        accessKeyId: text('S3_ACCESS_KEY_ID', 'the access key'),
        secretAccessKey: text('S3_SECRET_ACCESS_KEY', 'the secret of the access key'),
        region: text('S3_REGION', 'the region of the bucket', { default: 'us-east-1' }),
        publicEndpoint: Type.Optional(
          address(
            'S3_PUBLIC_ENDPOINT',
            'the address of the store for browsers, with `AUDIO_DELIVERY=redirect`',
            'https://s3.example.com',
            { unset: '`S3_ENDPOINT`' },
          ),
        ),
      },
      {
        incomplete: (names: string) =>
          `audio goes to S3 only when all of ${names} are set. Set them, or none.`,
      },
    ),
  ),
  audioDelivery: oneOf(
    'AUDIO_DELIVERY',
    'who sends audio: this program (`proxy`), the store after a `redirect`, or nginx (`accel`); see `docs/deploy/audio.md`',
    ['proxy', 'redirect', 'accel'],
    'proxy',
  ),
  dataDir: text('DATA_DIR', 'the folder for all data that must survive a restart', {
    format: 'line',
    default: '.data',
  }),
  databaseUrl: Type.Optional(
    text('DATABASE_URL', 'your own PostgreSQL, 16 or newer', {
      format: 'database',
      unset: 'an embedded one under `DATA_DIR`',
      isSecret: true,
    }),
  ),
  databaseDirectUrl: Type.Optional(
    text('DATABASE_DIRECT_URL', 'the address of PostgreSQL itself, if `DATABASE_URL` is a pooler', {
      format: 'database',
      isSecret: true,
    }),
  ),
  databaseReplicaUrl: Type.Optional(
    text('DATABASE_REPLICA_URL', 'a streaming standby, for reads that may lag by 5 seconds', {
      format: 'one database',
      isSecret: true,
    }),
  ),
  databasePool: integer(
    'DATABASE_POOL',
    'the most database connections of each process; with the embedded PostgreSQL at most two per core plus two',
    {
      default: 10,
      minimum: 2,
      maximum: 500,
    },
  ),
  adminToken: Type.Optional(
    secret('ADMIN_TOKEN', 'the token that opens the console and the API to operators'),
  ),
  // Only this program reads the next two, so they may have any characters.
  sessionSecret: Type.Optional(secret('SESSION_SECRET', 'the key that signs cookies', { format: 'opaque' })),
  encryptionKey: Type.Optional(
    secret('ENCRYPTION_KEY', 'the key that encrypts texts and API keys in the database', {
      format: 'opaque',
    }),
  ),
  vapidPrivateKey: Type.Optional(
    text('VAPID_PRIVATE_KEY', 'the key that signs push notifications', {
      pattern: '^[\\w-]{43}$',
      isSecret: true,
      takes: 'a private key of P-256, 32 bytes as base64url',
      unset: 'generated once into `DATA_DIR`, mode 0600',
    }),
  ),
  siteName: text('SITE_NAME', 'the name of the site', { format: 'line', default: siteNameDefault }),
  marketingUrl: address(
    'MARKETING_URL',
    'the marketing site that the top bar links to',
    'https://www.example.com',
    {
      default: 'https://example.com',
    },
  ),
  contactEmail: Type.Optional(
    text('CONTACT_EMAIL', 'an email or web address where people reach you', { format: 'contact' }),
  ),
  smtpUrl: Type.Optional(
    text('SMTP_URL', 'the mail server to send through', {
      format: 'mail server',
      unset: '.eml files in `DATA_DIR/outbox`',
      isSecret: true,
    }),
  ),
  mailFrom: Type.Optional(text('MAIL_FROM', 'the sender of mails', { format: 'mail sender' })),
  /** Providers whose accounts sign in here. */
  social: Type.Object({
    google: Type.Optional(
      Type.Object(
        {
          clientId: text(
            'OIDC_GOOGLE_CLIENT_ID',
            'the client for signing in with Google; its redirect URI is `PUBLIC_URL/api/auth/google/callback`',
          ),
          clientSecret: text('OIDC_GOOGLE_CLIENT_SECRET', 'the secret of the client'),
          issuer: text('OIDC_GOOGLE_ISSUER', 'the issuer of its ID tokens', {
            format: 'issuer',
            default: 'https://accounts.google.com',
          }),
        },
        account,
      ),
    ),
    apple: Type.Optional(
      Type.Object(
        {
          clientId: text(
            'OIDC_APPLE_CLIENT_ID',
            'the client for signing in with Apple, which requires https',
          ),
          key: text('OIDC_APPLE_KEY', 'the content of the .p8 file, with line ends as `\\n`', {
            format: 'pem',
          }),
          keyId: text('OIDC_APPLE_KEY_ID', 'the id of the key'),
          teamId: text('OIDC_APPLE_TEAM_ID', 'the id of the team'),
          issuer: text('OIDC_APPLE_ISSUER', 'the issuer of its ID tokens', {
            format: 'issuer',
            default: 'https://appleid.apple.com',
          }),
        },
        account,
      ),
    ),
    facebook: Type.Optional(
      Type.Object(
        {
          clientId: text('OIDC_FACEBOOK_CLIENT_ID', 'the client for signing in with Facebook'),
          clientSecret: text('OIDC_FACEBOOK_CLIENT_SECRET', 'the secret of the client'),
          baseUrl: Type.Optional(
            text('OIDC_FACEBOOK_BASE_URL', "the address that replaces both of Facebook's hosts", {
              format: 'issuer',
            }),
          ),
        },
        account,
      ),
    ),
  }),
  freeStoryLimit: integer(
    'FREE_STORY_LIMIT',
    'the number of stories that a visitor may open in 30 days; the console can change it',
    { default: 3, minimum: 0, maximum: 1_000 },
  ),
  previewSeconds: integer(
    'PREVIEW_SECONDS',
    'the first seconds of each narration that visitors may hear; 0 turns previews off',
    { default: 0, minimum: 0, maximum: 120 },
  ),
  drainSeconds: integer(
    'DRAIN_SECONDS',
    'the seconds after a stop signal in which requests are still accepted while `/readyz` answers 503, so that a load balancer notices',
    { default: 0, minimum: 0, maximum: 60 },
  ),
  ageGate: text('AGE_GATE', 'how visitors prove their age; see `docs/age-provider.md`', {
    format: 'age gate',
    default: 'confirm',
  }),
  ageGateSecret: Type.Optional(
    secret('AGE_GATE_SECRET', 'the key with which the age provider signs its answers', { unset: undefined }),
  ),
  consentDefault: oneOf(
    'CONSENT_DEFAULT',
    'whether analytics need consent: with `ask`, nothing is tracked before a visitor agrees',
    ['granted', 'ask'],
    'granted',
  ),
  keepsOffline: onOff(
    'OFFLINE',
    '`off` removes the service worker and everything saved offline from browsers at their next visit',
  ),
  demo: onOff('DEMO', 'the demo library; `off` starts with an empty one'),
  openai: Type.Object({
    apiKey: Type.Optional(
      text('OPENAI_API_KEY', 'the key of a model, used until one is configured in the console'),
    ),
    baseUrl: Type.Optional(
      address(
        'OPENAI_BASE_URL',
        'the base address of the model, which ends in `/v1`',
        'https://api.openai.com/v1',
      ),
    ),
    model: Type.Optional(text('OPENAI_MODEL', 'the model that writes drafts and marks up scripts')),
    speechModel: text('OPENAI_SPEECH_MODEL', 'the model for speech', { default: 'gpt-4o-mini-tts' }),
    voices: voices('OPENAI_VOICES', 'rachel=shimmer'),
    usdPer1000Characters: amount(
      'OPENAI_SPEECH_USD_PER_1000_CHARACTERS',
      'the price of a thousand characters, for the estimate shown before a narration',
      0.015,
    ),
  }),
  elevenlabs: Type.Object({
    apiKey: Type.Optional(
      text('ELEVENLABS_API_KEY', 'the key for the voices of ElevenLabs', {
        unset: 'the built-in voice, which needs no key and no network',
      }),
    ),
    baseUrl: Type.Optional(
      address('ELEVENLABS_BASE_URL', 'the base address of its API', 'https://api.elevenlabs.io'),
    ),
    model: text('ELEVENLABS_MODEL', 'the model for speech', { default: 'eleven_multilingual_v2' }),
    voices: voices('ELEVENLABS_VOICES', 'rachel=21m00Tcm4TlvDq8ikWAM'),
    usdPer1000Characters: amount(
      'ELEVENLABS_USD_PER_1000_CHARACTERS',
      'the price of a thousand characters, for the estimate shown before a narration',
      0.3,
    ),
  }),
  voiceOrder: Type.Array(Type.Union(voiceProviders.map((name) => Type.Literal(name))), {
    variable: 'VOICE_ORDER',
    words: 'the voice providers to try, in this order; those without a key are skipped',
    default: voiceProviders,
    takes: `some of ${voiceProviders.join(', ')}, comma-separated`,
  }),
  narratorFemale: oneOf(
    'NARRATOR_FEMALE',
    'the narrator for `female`',
    narratorsOf('female'),
    narratorOfVoice.female,
  ),
  narratorMale: oneOf('NARRATOR_MALE', 'the narrator for `male`', narratorsOf('male'), narratorOfVoice.male),
  narrationsAtOnce: integer(
    'NARRATIONS_AT_ONCE',
    'the number of narrations made at the same time; each uses a core',
    {
      default: 1,
      minimum: 1,
      maximum: 16,
    },
  ),
  memberNarrationsADay: integer(
    'MEMBER_NARRATIONS_A_DAY',
    'the number of narrations that a member may request per day',
    {
      default: 3,
      minimum: 0,
      maximum: 1_000,
    },
  ),
  memberDraftsADay: integer('MEMBER_DRAFTS_A_DAY', 'the number of drafts that a member may request per day', {
    default: 10,
    minimum: 0,
    maximum: 1_000,
  }),
  memberWordsMax: integer('MEMBER_WORDS_MAX', "the most words in a member's text", {
    default: 4_000,
    minimum: 50,
    maximum: 10_000,
  }),
  moderationModel: Type.Optional(
    text('MODERATION_MODEL', "the model of OpenAI's `/moderations` that gives a second opinion on texts"),
  ),
  allowPrivateModelUrls: list(
    'ALLOW_PRIVATE_MODEL_URLS',
    'origins in your own network at which a model may run',
    'origin',
    'origins such as http://10.0.0.5:8000',
  ),
  // Push services have a list of their own, since a member's browser chooses the address.
  allowPrivatePushUrls: list(
    'ALLOW_PRIVATE_PUSH_URLS',
    'origins in your own network at which a push service may run',
    'origin',
    'origins such as http://10.0.0.5:8000',
  ),
  logLevel: oneOf('LOG_LEVEL', 'the lowest level that is logged', ['debug', 'info', 'warn', 'error'], 'info'),
  accessLog: oneOf(
    'ACCESS_LOG',
    'a log line for each request with its route and duration, never with its address or sender',
    ['off', 'on'],
    'off',
  ),
  /** OpenTelemetry's own variables, for traces. */
  traces: Type.Optional(
    Type.Object(
      {
        endpoint: address(
          'OTEL_EXPORTER_OTLP_ENDPOINT',
          'the collector that receives traces, as OTLP over HTTP',
          'http://localhost:4318',
          { unset: 'no traces' },
        ),
        headers: Type.Optional(
          text('OTEL_EXPORTER_OTLP_HEADERS', 'headers for the collector', {
            pattern: '^[\\w-]+=[^,\\s]*(,[\\w-]+=[^,\\s]*)*$',
            takes: 'names with values, such as x-api-key=…,x-team=stories',
            isSecret: true,
          }),
        ),
        serviceName: text('OTEL_SERVICE_NAME', 'the name of this program in traces', { default: 'nocturne' }),
        share: Type.Number({
          variable: 'OTEL_TRACES_SAMPLER_ARG',
          words: 'the share of traces that is sent; a request with a `traceparent` decides for itself',
          default: 1,
          minimum: 0,
          maximum: 1,
          takes: 'a number from 0 to 1',
        }),
      },
      account,
    ),
  ),
  slowStatementMs: integer(
    'SLOW_STATEMENT_MS',
    'statements that take longer, in milliseconds, are logged without their values; 0 logs none',
    { default: 1_000, minimum: 0, maximum: 60_000 },
  ),
})
