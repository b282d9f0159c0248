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
  port: integer('PORT', 'the port it listens at', { default: 3_000, minimum: 0, maximum: 65_535 }),
  host: text('HOST', 'the address it listens at', { default: '0.0.0.0' }),
  processes: text('PROCESSES', 'how many processes share the port, on Linux', {
    pattern: '^(auto|[1-9]\\d?)$',
    takes: 'a number up to 99, or auto: one a core',
    default: '1',
  }),
  publicUrl: Type.Optional(
    text('PUBLIC_URL', 'the origin the outside sees', {
      format: 'origin',
      takes: 'an origin alone, without a path, such as https://stories.example.com',
      unset: '`http://localhost:PORT`',
    }),
  ),
  allowedHosts: list(
    'ALLOWED_HOSTS',
    'more names it answers to',
    'host name',
    'host names without a port, such as stories.example.com',
  ),
  trustProxy: list(
    'TRUST_PROXY',
    "your proxy's networks, whose `X-Forwarded-For` is believed; unset, all behind it count as one visitor",
    'network',
    'networks such as 10.0.0.0/8',
  ),
  s3: Type.Optional(
    Type.Object(
      {
        endpoint: address('S3_ENDPOINT', 'audio in an S3-compatible store', 'https://s3.example.com', {
          unset: 'files under `DATA_DIR`',
        }),
        bucket: text('S3_BUCKET', 'its bucket'),
        accessKeyId: text('S3_ACCESS_KEY_ID', 'its key'),
        secretAccessKey: text('S3_SECRET_ACCESS_KEY', "its key's secret"),
        region: text('S3_REGION', 'its region', { default: 'us-east-1' }),
        publicEndpoint: Type.Optional(
          address(
            'S3_PUBLIC_ENDPOINT',
            'where browsers reach the store, for `AUDIO_DELIVERY=redirect`',
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
    'who sends audio: this program, the store after a `redirect`, or nginx (`accel`): `docs/deploy/audio.md`',
    ['proxy', 'redirect', 'accel'],
    'proxy',
  ),
  dataDir: text('DATA_DIR', 'the folder of everything that must survive', {
    format: 'line',
    default: '.data',
  }),
  databaseUrl: Type.Optional(
    text('DATABASE_URL', 'a PostgreSQL of yours, 16 or newer', {
      format: 'database',
      unset: 'an embedded one under `DATA_DIR`',
      isSecret: true,
    }),
  ),
  databaseDirectUrl: Type.Optional(
    text('DATABASE_DIRECT_URL', "PostgreSQL's own address where `DATABASE_URL` is a pooler's", {
      format: 'database',
      isSecret: true,
    }),
  ),
  databaseReplicaUrl: Type.Optional(
    text('DATABASE_REPLICA_URL', 'a streaming standby, for reads that may be 5 seconds late', {
      format: 'one database',
      isSecret: true,
    }),
  ),
  databasePool: integer(
    'DATABASE_POOL',
    'connections to the database, of each process at most; to the embedded one at most two a core and two more',
    {
      default: 10,
      minimum: 2,
      maximum: 500,
    },
  ),
  adminToken: Type.Optional(secret('ADMIN_TOKEN', "the operator's token")),
  // Only this program reads the next two, so they may have any characters.
  sessionSecret: Type.Optional(secret('SESSION_SECRET', 'signs cookies', { format: 'opaque' })),
  encryptionKey: Type.Optional(secret('ENCRYPTION_KEY', 'seals texts and keys', { format: 'opaque' })),
  vapidPrivateKey: Type.Optional(
    text('VAPID_PRIVATE_KEY', 'signs notifications', {
      pattern: '^[\\w-]{43}$',
      isSecret: true,
      takes: 'a private key of P-256, 32 bytes as base64url',
      unset: 'generated once into `DATA_DIR`, mode 0600',
    }),
  ),
  siteName: text('SITE_NAME', 'the brand', { format: 'line', default: siteNameDefault }),
  marketingUrl: address('MARKETING_URL', 'the marketing site of the top bar', 'https://www.example.com', {
    default: 'https://example.com',
  }),
  contactEmail: Type.Optional(text('CONTACT_EMAIL', 'an address for people', { format: 'contact' })),
  smtpUrl: Type.Optional(
    text('SMTP_URL', 'a mail server', {
      format: 'mail server',
      unset: '.eml files in `DATA_DIR/outbox`',
      isSecret: true,
    }),
  ),
  mailFrom: Type.Optional(text('MAIL_FROM', 'who writes', { format: 'mail sender' })),
  /** Providers whose accounts sign in here. */
  social: Type.Object({
    google: Type.Optional(
      Type.Object(
        {
          clientId: text(
            'OIDC_GOOGLE_CLIENT_ID',
            'signing in with Google; back to `PUBLIC_URL/api/auth/google/callback`',
          ),
          clientSecret: text('OIDC_GOOGLE_CLIENT_SECRET', 'its secret'),
          issuer: text('OIDC_GOOGLE_ISSUER', 'who signs its answers', {
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
          clientId: text('OIDC_APPLE_CLIENT_ID', 'signing in with Apple, which wants https'),
          key: text('OIDC_APPLE_KEY', "the .p8 file's text, line ends as `\\n`", { format: 'pem' }),
          keyId: text('OIDC_APPLE_KEY_ID', "the key's id"),
          teamId: text('OIDC_APPLE_TEAM_ID', "the team's id"),
          issuer: text('OIDC_APPLE_ISSUER', 'who signs its answers', {
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
          clientId: text('OIDC_FACEBOOK_CLIENT_ID', 'signing in with Facebook'),
          clientSecret: text('OIDC_FACEBOOK_CLIENT_SECRET', 'its secret'),
          baseUrl: Type.Optional(
            text('OIDC_FACEBOOK_BASE_URL', "in place of both of Facebook's hosts", { format: 'issuer' }),
          ),
        },
        account,
      ),
    ),
  }),
  freeStoryLimit: integer(
    'FREE_STORY_LIMIT',
    'stories a visitor may open in 30 days; the console can set another',
    { default: 3, minimum: 0, maximum: 1_000 },
  ),
  previewSeconds: integer(
    'PREVIEW_SECONDS',
    'the seconds of each narration that visitors may hear; 0: none',
    { default: 0, minimum: 0, maximum: 120 },
  ),
  drainSeconds: integer(
    'DRAIN_SECONDS',
    'after a stop signal, the seconds for which requests are still taken while `/readyz` says 503, so that a load balancer notices',
    { default: 0, minimum: 0, maximum: 60 },
  ),
  ageGate: text('AGE_GATE', 'who asks for the age: `docs/age-provider.md`', {
    format: 'age gate',
    default: 'confirm',
  }),
  ageGateSecret: Type.Optional(
    secret('AGE_GATE_SECRET', "what the provider's answers are signed with", { unset: undefined }),
  ),
  consentDefault: oneOf(
    'CONSENT_DEFAULT',
    'with `ask` nothing is tracked before a visitor agrees',
    ['granted', 'ask'],
    'granted',
  ),
  keepsOffline: onOff(
    'OFFLINE',
    "`off` takes the app's worker and what it keeps out of people's browsers at their next visit",
  ),
  demo: onOff('DEMO', '`off` starts with an empty library'),
  openai: Type.Object({
    apiKey: Type.Optional(text('OPENAI_API_KEY', 'a model where the console has configured none')),
    baseUrl: Type.Optional(
      address('OPENAI_BASE_URL', 'where it stands; ends in `/v1`', 'https://api.openai.com/v1'),
    ),
    model: Type.Optional(text('OPENAI_MODEL', 'the model that writes and marks up')),
    speechModel: text('OPENAI_SPEECH_MODEL', 'the model that speaks', { default: 'gpt-4o-mini-tts' }),
    voices: voices('OPENAI_VOICES', 'rachel=shimmer'),
    usdPer1000Characters: amount(
      'OPENAI_SPEECH_USD_PER_1000_CHARACTERS',
      'what a thousand characters cost, for the price shown before',
      0.015,
    ),
  }),
  elevenlabs: Type.Object({
    apiKey: Type.Optional(
      text('ELEVENLABS_API_KEY', 'its voices', { unset: 'the built-in one, without key or network' }),
    ),
    baseUrl: Type.Optional(address('ELEVENLABS_BASE_URL', 'where it stands', 'https://api.elevenlabs.io')),
    model: text('ELEVENLABS_MODEL', 'the model that speaks', { default: 'eleven_multilingual_v2' }),
    voices: voices('ELEVENLABS_VOICES', 'rachel=21m00Tcm4TlvDq8ikWAM'),
    usdPer1000Characters: amount(
      'ELEVENLABS_USD_PER_1000_CHARACTERS',
      'what a thousand characters cost, for the price shown before',
      0.3,
    ),
  }),
  voiceOrder: Type.Array(Type.Union(voiceProviders.map((name) => Type.Literal(name))), {
    variable: 'VOICE_ORDER',
    words: 'which voices are tried, in this order, where they are configured',
    default: voiceProviders,
    takes: `some of ${voiceProviders.join(', ')}, comma-separated`,
  }),
  narratorFemale: oneOf(
    'NARRATOR_FEMALE',
    'who speaks for `female`',
    narratorsOf('female'),
    narratorOfVoice.female,
  ),
  narratorMale: oneOf('NARRATOR_MALE', 'who speaks for `male`', narratorsOf('male'), narratorOfVoice.male),
  narrationsAtOnce: integer('NARRATIONS_AT_ONCE', 'how many narrations are made at once; each takes a core', {
    default: 1,
    minimum: 1,
    maximum: 16,
  }),
  memberNarrationsADay: integer('MEMBER_NARRATIONS_A_DAY', 'what one member may have narrated in a day', {
    default: 3,
    minimum: 0,
    maximum: 1_000,
  }),
  memberDraftsADay: integer('MEMBER_DRAFTS_A_DAY', 'what one member may have drafted in a day', {
    default: 10,
    minimum: 0,
    maximum: 1_000,
  }),
  memberWordsMax: integer('MEMBER_WORDS_MAX', "words of a member's text", {
    default: 4_000,
    minimum: 50,
    maximum: 10_000,
  }),
  moderationModel: Type.Optional(
    text('MODERATION_MODEL', "asks OpenAI's `/moderations` for a second opinion on texts"),
  ),
  allowPrivateModelUrls: list(
    'ALLOW_PRIVATE_MODEL_URLS',
    'origins on your own network that a model may stand at',
    'origin',
    'origins such as http://10.0.0.5:8000',
  ),
  // Push services have a list of their own, since a member's browser chooses the address.
  allowPrivatePushUrls: list(
    'ALLOW_PRIVATE_PUSH_URLS',
    'origins on your own network that a push service may stand at',
    'origin',
    'origins such as http://10.0.0.5:8000',
  ),
  logLevel: oneOf('LOG_LEVEL', 'the least that is logged', ['debug', 'info', 'warn', 'error'], 'info'),
  accessLog: oneOf(
    'ACCESS_LOG',
    'a line of the log for each request: its route and time, never its address or sender',
    ['off', 'on'],
    'off',
  ),
  /** OpenTelemetry's own variables, for traces. */
  traces: Type.Optional(
    Type.Object(
      {
        endpoint: address(
          'OTEL_EXPORTER_OTLP_ENDPOINT',
          'traces go to this collector, as OTLP over HTTP',
          'http://localhost:4318',
          { unset: 'no traces' },
        ),
        headers: Type.Optional(
          text('OTEL_EXPORTER_OTLP_HEADERS', 'its headers', {
            pattern: '^[\\w-]+=[^,\\s]*(,[\\w-]+=[^,\\s]*)*$',
            takes: 'names with values, such as x-api-key=…,x-team=stories',
            isSecret: true,
          }),
        ),
        serviceName: text('OTEL_SERVICE_NAME', 'what traces call this program', { default: 'nocturne' }),
        share: Type.Number({
          variable: 'OTEL_TRACES_SAMPLER_ARG',
          words: 'the share of traces that is sent; who sends a `traceparent` decides for it',
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
    'statements that take more milliseconds are logged, without their values; 0: none',
    { default: 1_000, minimum: 0, maximum: 60_000 },
  ),
})
