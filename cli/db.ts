import { defineCommand } from 'citty'
import { jsonFlag, print } from '#cli/output'
import { withServices } from '#cli/with-services'
import { migrationStatus } from '#db/migrate'
import { seedDemo } from '#src/demo/seed'
import { pluralize } from '#src/text/pluralize'

const migrate = defineCommand({
  meta: {
    name: 'migrate',
    description: 'Applies all migrations to the database. Example: nocturne db migrate',
  },
  args: jsonFlag,
  run: ({ args }) =>
    // Opening the store applies the migrations.
    withServices(async ({ url }) => {
      const status = await migrationStatus(url)
      print(args, status, () => [`The database has all ${status.applied} migrations.`])
    }),
})

const seed = defineCommand({
  meta: {
    name: 'seed',
    description: 'Puts the demo library into an empty database. Example: nocturne db seed',
  },
  args: jsonFlag,
  run: ({ args }) =>
    withServices(async ({ db }) => {
      const seeded = await seedDemo(db)
      print(args, { seeded }, () => [
        seeded ? 'The demo library was added.' : 'The library is not empty, so it was left alone.',
      ])
    }),
})

const status = defineCommand({
  meta: {
    name: 'status',
    description: 'Shows where the database is and what it contains. Example: nocturne db status --json',
  },
  args: jsonFlag,
  run: ({ args }) =>
    withServices(async ({ db, url, env }) => {
      const { applied, pending } = await migrationStatus(url)
      const [row] = await db.execute<{ version: string; bytes: number; items: number; members: number }>(
        `select current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes, (select count(*) from stories)::int as items, (select count(*) from users)::int as members`,
      )
      const data = { kind: env.databaseUrl ? 'external' : 'embedded', applied, pending, ...row }
      print(args, data, () => [
        `${data.kind} PostgreSQL ${row?.version}, ${((row?.bytes ?? 0) / 1024 / 1024).toFixed(1)} MB`,
        `${applied} migrations applied, ${pending.length} pending`,
        `${pluralize(row?.items ?? 0, 'item')}, ${pluralize(row?.members ?? 0, 'member')}`,
      ])
    }),
})

export default defineCommand({
  meta: { name: 'db', description: 'The database: migrate, seed, status' },
  subCommands: { migrate, seed, status },
})
