import { type SQL, sql } from 'drizzle-orm'

/**
 * The id of a member who still exists, else null: a subquery for columns without a foreign key. It locks the member's
 * row, as a foreign key does, so that a concurrent deletion either finds the new row or has happened before it.
 */
export function existingMember(id: string): SQL<string | null> {
  return sql`(select id from users where users.id = ${id}::uuid for key share)`
}

/** The ids of those members who still exist, locked likewise: a subquery for `in`, which runs once. */
export function existingMembers(ids: Iterable<string>): SQL {
  return sql`(select id from users where id = any(${`{${[...ids].join(',')}}`}::uuid[]) order by id for key share)`
}

const ofMember = 'member:'

/** A member's name as an actor, who decides about texts or cancels jobs. */
export const actorOf = (id: string) => ofMember + id

/** The actor in whose place a deleted member's stays in the audit. */
export const deletedActor = actorOf('deleted')

/** The actor as it is stored: a member who has been deleted meanwhile is not named. */
export function existingActor(actor: string): string | SQL {
  if (!actor.startsWith(ofMember)) return actor
  return sql`coalesce(${ofMember} || ${existingMember(actor.slice(ofMember.length))}, ${deletedActor})`
}
